"""TP405: a copy to pinned memory is read before it has arrived."""
from __future__ import annotations

import pytest
import torch

needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="copies are queued on a GPU only")


@needs_gpu
def test_the_copy_has_not_arrived() -> None:
    source = torch.ones(1 << 24, device="cuda")
    host = torch.zeros(1 << 24, pin_memory=True)
    torch.cuda._sleep(100_000_000)
    host.copy_(source, non_blocking=True)
    assert host[-1] == 0
    torch.cuda.synchronize()
    assert host[-1] == 1


@needs_gpu
def test_to_gives_pinned_memory_and_does_not_wait() -> None:
    source = torch.ones(1 << 24, device="cuda")
    event = torch.cuda.Event()
    torch.cuda._sleep(100_000_000)
    copy = source.to("cpu", non_blocking=True)
    event.record()
    assert copy.is_pinned() and not event.query()
    event.synchronize()
    assert copy[-1] == 1


def test_a_tensor_of_the_cpu_is_not_copied() -> None:
    x = torch.ones(2)
    assert x.to("cpu", non_blocking=True) is x
