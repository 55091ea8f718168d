"""TP917: what becomes of the batches after the last full window."""
from __future__ import annotations

import torch


def weights(batches: int, clear_first: bool) -> list[float]:
    """Return a weight, whose gradient is 1 in each batch, after two epochs that step in every fourth batch."""
    weight = torch.nn.Parameter(torch.tensor(0.0))
    optimizer = torch.optim.SGD([weight], lr=1.0)
    found = []
    for _ in range(2):
        if clear_first:
            optimizer.zero_grad()
        for index in range(batches):
            weight.backward()
            if (index + 1) % 4 == 0:
                optimizer.step()
                optimizer.zero_grad()
        found.append(weight.item())
    return found


def test_the_rest_is_dropped_where_the_next_epoch_clears() -> None:
    assert weights(6, clear_first=True) == [-4.0, -8.0]


def test_the_rest_leaks_into_the_next_epoch_where_nothing_clears() -> None:
    assert weights(6, clear_first=False) == [-4.0, -10.0]


def test_whole_windows_lose_nothing() -> None:
    assert weights(8, clear_first=False) == weights(8, clear_first=True) == [-8.0, -16.0]
