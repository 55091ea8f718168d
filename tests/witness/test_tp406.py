"""TP406: emptying the cache makes the next batch ask the driver again, and gives PyTorch nothing."""
from __future__ import annotations

import pytest
import torch

needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="only the allocators of devices have a cache")


def requests(empty: bool) -> int:
    """Return how often twenty batches ask the driver for memory."""
    torch.cuda.empty_cache()
    before = torch.cuda.memory_stats()["num_device_alloc"]
    for _ in range(20):
        batch = torch.empty(1 << 24, device="cuda")
        del batch
        if empty:
            torch.cuda.empty_cache()
    return int(torch.cuda.memory_stats()["num_device_alloc"] - before)


@needs_gpu
def test_each_batch_asks_the_driver_again() -> None:
    torch.ones(1, device="cuda")
    assert requests(empty=False) <= 1
    assert requests(empty=True) == 20


@needs_gpu
def test_what_is_referenced_stays() -> None:
    kept = torch.empty(1 << 20, device="cuda")
    before = torch.cuda.memory_allocated()
    torch.cuda.empty_cache()
    assert torch.cuda.memory_allocated() == before
    del kept


def test_without_a_device_it_does_nothing() -> None:
    if not torch.cuda.is_available():
        torch.cuda.empty_cache()
        assert not torch.cuda.is_initialized()
