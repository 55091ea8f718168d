"""TP953: batches lie in pageable memory unless the loader pins them."""
from __future__ import annotations

import pytest
import torch
from torch.utils.data import DataLoader, TensorDataset


def test_not_pinned_by_default() -> None:
    loader = DataLoader(TensorDataset(torch.ones(4, 2)), batch_size=2)
    assert loader.pin_memory is False
    assert not any(batch.is_pinned() for (batch,) in loader)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="PyTorch's documentation: memory is pinned for CUDA")
def test_pinned() -> None:
    loader = DataLoader(TensorDataset(torch.ones(4, 2)), batch_size=2, pin_memory=True)
    assert all(batch.is_pinned() for (batch,) in loader)
