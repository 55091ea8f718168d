"""TP004: asking for determinism does not switch cuDNN's benchmarking off; what that costs shows on a GPU only."""
from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from torch.backends import cudnn


@pytest.fixture(autouse=True)
def settings() -> Iterator[None]:
    before = cudnn.benchmark, cudnn.deterministic
    yield
    cudnn.benchmark, cudnn.deterministic = before
    torch.use_deterministic_algorithms(False)


def test_both_stay_in_force_in_either_order() -> None:
    cudnn.benchmark = True
    cudnn.deterministic = True
    assert cudnn.benchmark and cudnn.deterministic
    cudnn.benchmark = True
    assert cudnn.deterministic


def test_deterministic_algorithms_leave_it_on() -> None:
    cudnn.benchmark = True
    torch.use_deterministic_algorithms(True)
    assert cudnn.benchmark


def test_switched_off() -> None:
    cudnn.deterministic, cudnn.benchmark = True, False
    assert not cudnn.benchmark
