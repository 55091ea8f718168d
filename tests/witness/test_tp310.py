"""TP310: uninitialised memory is computed with; torch can fill it with NaN to show that."""
from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from torch import nn


@pytest.fixture(autouse=True)
def marked_memory() -> Iterator[None]:
    """Let torch fill what ``empty`` reserves with NaN, as its deterministic mode does."""
    torch.use_deterministic_algorithms(True)
    yield
    torch.use_deterministic_algorithms(False)


def test_sum_onto_it() -> None:
    total = torch.empty(3)
    total += torch.ones(3)
    assert total.isnan().all()
    total = torch.zeros(3)
    total += torch.ones(3)
    assert torch.equal(total, torch.ones(3))


def test_scatter_onto_it() -> None:
    sums = torch.empty_like(torch.ones(3))
    sums.scatter_add_(0, torch.tensor([0, 1, 2]), torch.ones(3))
    assert sums.isnan().all()


def test_new_empty() -> None:
    assert (torch.ones(1).new_empty(4) + 1).isnan().all()


def test_parameter() -> None:
    bias = nn.Parameter(torch.empty(3))
    assert (torch.ones(3) + bias).isnan().all()
    nn.init.zeros_(bias)
    assert torch.equal(torch.ones(3) + bias, torch.ones(3))
