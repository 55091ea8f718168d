"""TP954: both options are off by default, and either works without the other, but does not help then."""
from __future__ import annotations

import pytest
import torch
from torch.utils.data import DataLoader, TensorDataset


def test_same_values_either_way() -> None:
    rows = torch.arange(8.0).view(4, 2)
    for (batch,) in DataLoader(TensorDataset(rows), batch_size=4):
        assert torch.equal(batch.to("cpu", non_blocking=True), rows)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="PyTorch's documentation: copies to CUDA only overlap")
def test_a_blocking_copy_synchronizes() -> None:
    pinned = torch.ones(1 << 20).pin_memory()
    torch.cuda.set_sync_debug_mode("error")
    try:
        pinned.to("cuda", non_blocking=True)
        with pytest.raises(RuntimeError):
            pinned.to("cuda")
    finally:
        torch.cuda.set_sync_debug_mode("default")
