"""Moves that are made to see whether they work, how long they take, or to wake the device."""
import time

import pytest
import torch


def has_gpu() -> bool:
    probe = torch.zeros(1)
    try:
        probe.cuda()
    except RuntimeError:
        return False
    return True


def wake_up() -> None:
    torch.zeros(1).cuda()
    torch.ones(2, 2).to("cuda")


def bandwidth(size: int, rounds: int = 10) -> float:
    block = torch.empty(size).pin_memory()
    for _ in range(rounds):
        block.to("cuda")
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(rounds):
        block.to("cuda", non_blocking=True)
    torch.cuda.synchronize()
    return size * rounds / (time.perf_counter() - start)


def test_unknown_device() -> None:
    x = torch.ones(2)
    with pytest.raises(RuntimeError):
        x.to("nowhere")
    assert x.device.type == "cpu"


def kind(x: torch.Tensor) -> str:
    x.type()
    return x.type()
