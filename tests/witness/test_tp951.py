"""TP951: without workers the items are made in the training process, with workers elsewhere."""
from __future__ import annotations

import os

from torch.utils.data import DataLoader, Dataset


class Makers(Dataset):
    """Every item is the number of the process that made it."""

    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> int:
        return os.getpid()


def test_items_are_made_here_by_default() -> None:
    loader = DataLoader(Makers(), batch_size=2)
    assert loader.num_workers == 0
    assert {int(maker) for batch in loader for maker in batch} == {os.getpid()}


def test_workers_make_them() -> None:
    makers = {int(maker) for batch in DataLoader(Makers(), batch_size=2, num_workers=2) for maker in batch}
    assert len(makers) == 2 and os.getpid() not in makers
