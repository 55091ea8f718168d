"""TP955: without a generator of its own the order of a loader changes with any other random draw."""
from __future__ import annotations

import torch
from torch import nn
from torch.utils.data import DataLoader


def order(draws: int, own: bool) -> list[int]:
    torch.manual_seed(0)
    for _ in range(draws):
        nn.Linear(2, 2)
    generator = torch.Generator().manual_seed(0) if own else None
    loader = DataLoader(range(32), batch_size=4, shuffle=True, generator=generator)
    return [int(item) for batch in loader for item in batch]


def test_global_generator() -> None:
    assert order(0, own=False) == order(0, own=False)
    assert order(0, own=False) != order(1, own=False)


def test_own_generator() -> None:
    assert order(0, own=True) == order(1, own=True)
