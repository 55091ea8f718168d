"""TP409: two streams run in no order. The CPU has one queue, so there is nothing to see without a GPU."""
from __future__ import annotations

import pytest
import torch

needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="only devices have several streams")


def compute(wait: bool) -> float:
    side = torch.cuda.Stream()
    x = torch.zeros(1 << 20, device="cuda")
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        torch.cuda._sleep(100_000_000)
        x.add_(1)
    if wait:
        torch.cuda.current_stream().wait_stream(side)
    x.record_stream(torch.cuda.current_stream())
    total = (x * 1).sum()
    torch.cuda.synchronize()
    return float(total)


@needs_gpu
def test_the_result_is_read_before_it_is_written() -> None:
    assert compute(wait=False) == 0


@needs_gpu
def test_waiting_puts_it_right() -> None:
    assert compute(wait=True) == 1 << 20


def test_on_the_cpu_streams_are_in_order() -> None:
    x = torch.zeros(4)
    with torch.cpu.stream(torch.cpu.Stream()):
        x.add_(1)
    assert x.sum() == 4
