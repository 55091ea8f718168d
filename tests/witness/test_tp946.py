"""TP946: reading a value waits for the device."""
from __future__ import annotations

import pytest
import torch


@pytest.mark.skipif(not torch.cuda.is_available(), reason="PyTorch's documentation: only CUDA works asynchronously")
def test_reading_synchronizes() -> None:
    total = torch.zeros((), device="cuda")
    torch.cuda.set_sync_debug_mode("error")
    try:
        total += torch.ones((), device="cuda")
        with pytest.raises(RuntimeError):
            total.item()
    finally:
        torch.cuda.set_sync_debug_mode("default")


def test_a_sum_without_reading_is_the_same() -> None:
    losses = [torch.tensor(0.25), torch.tensor(0.5)]
    total = torch.zeros(())
    for loss in losses:
        total += loss.detach()
    assert total.item() == sum(loss.item() for loss in losses)
