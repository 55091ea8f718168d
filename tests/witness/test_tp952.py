"""TP952: each epoch has other worker processes, unless they are persistent."""
from __future__ import annotations

import os

import pytest
from torch.utils.data import DataLoader, Dataset


class Makers(Dataset):
    """Every item is the number of the process that made it."""

    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> int:
        return os.getpid()


@pytest.mark.parametrize("persistent", [False, True])
def test_processes_of_two_epochs(persistent: bool) -> None:
    loader = DataLoader(Makers(), batch_size=2, num_workers=2, persistent_workers=persistent)
    first, second = ({int(maker) for batch in loader for maker in batch} for _ in range(2))
    assert (first == second) is persistent
    assert persistent or first.isdisjoint(second)
