"""TP904: torch's seed leaves NumPy's and Python's generators as they are."""
from __future__ import annotations

import random

import numpy as np
import torch


def drawn() -> tuple[float, float, float]:
    return float(torch.rand(1)), float(np.random.rand()), random.random()


def test_only_torch_repeats() -> None:
    torch.manual_seed(0)
    first = drawn()
    torch.manual_seed(0)
    second = drawn()
    assert first[0] == second[0]
    assert first[1] != second[1] and first[2] != second[2]


def test_all_repeat() -> None:
    results = []
    for _ in range(2):
        torch.manual_seed(0)
        np.random.seed(0)
        random.seed(0)
        results.append(drawn())
    assert results[0] == results[1]
