"""TP222 train-overridden: eval() calls train(False)."""
from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn


class Loop(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def train(self, loader: Any, epochs: int) -> None:  # type: ignore[override]
        raise AssertionError("not reached")


class Defaults(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.drop = nn.Dropout(0.5)
        self.given: Any = None

    def train(self, epochs: Any = 10) -> None:  # type: ignore[override]
        self.given = epochs


class Nothing(nn.Module):
    def train(self) -> None:  # type: ignore[override]
        raise AssertionError("not reached")


class Fit(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def fit(self, loader: Any, epochs: int) -> None:
        """Train."""


@pytest.mark.parametrize("cls", [Loop, Nothing])
def test_eval_raises(cls: Any) -> None:
    with pytest.raises(TypeError, match="train"):
        cls().eval()
    with pytest.raises(TypeError, match="train"):
        nn.Sequential(cls()).train()


def test_eval_runs_the_loop_and_switches_nothing() -> None:
    module = Defaults()
    module.eval()
    assert module.given is False
    assert module.drop.training


def test_under_another_name_eval_works() -> None:
    module = Fit().eval()
    assert torch.equal(module.drop(torch.ones(100)), torch.ones(100))
