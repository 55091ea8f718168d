"""TP956: a loader gives the same batches in every epoch unless it shuffles."""
from __future__ import annotations

import torch
from torch.utils.data import DataLoader


def epochs(**options: object) -> list[list[list[int]]]:
    torch.manual_seed(0)
    loader = DataLoader(range(16), batch_size=4, **options)
    return [[batch.tolist() for batch in loader] for _ in range(2)]


def test_default() -> None:
    first, second = epochs()
    assert first == second == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]


def test_shuffled() -> None:
    first, second = epochs(shuffle=True)
    assert first != second
    assert sorted(sum(first, [])) == sorted(sum(second, []))
