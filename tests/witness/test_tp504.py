"""TP504: a loader without workers raises for options of workers."""
from __future__ import annotations

import pytest
import torch
from torch.utils.data import DataLoader, TensorDataset

NUMBERS = TensorDataset(torch.arange(4))


@pytest.mark.parametrize(
    "options",
    [
        {"persistent_workers": True},
        {"prefetch_factor": 2},
        {"prefetch_factor": 0},
        {"multiprocessing_context": "spawn"},
    ],
    ids=str,
)
def test_refused(options: dict[str, object]) -> None:
    for workers in ({}, {"num_workers": 0}):
        with pytest.raises(ValueError, match="multi-?process|num_workers > 0"):
            DataLoader(NUMBERS, **workers, **options)
    DataLoader(NUMBERS, num_workers=1, **options)


@pytest.mark.parametrize(
    "options",
    [{"persistent_workers": False}, {"prefetch_factor": None}, {"multiprocessing_context": None}, {"timeout": 0}],
    ids=str,
)
def test_taken(options: dict[str, object]) -> None:
    assert len(list(DataLoader(NUMBERS, **options))) == 4


def test_a_timeout_raises_when_the_loader_is_used() -> None:
    loader = DataLoader(NUMBERS, timeout=3)
    with pytest.raises(AssertionError, match="timeout == 0"):
        iter(loader)
