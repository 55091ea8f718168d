"""TP922: the gradient of a sum grows with the batch, that of the mean does not."""
from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F


def gradient(samples: int, reduction: str) -> float:
    w = torch.zeros(1, requires_grad=True)
    F.mse_loss(w.expand(samples), torch.ones(samples), reduction=reduction).backward()
    assert w.grad is not None
    return w.grad.item()


def test_a_sum_grows_with_the_batch() -> None:
    assert gradient(64, "sum") == pytest.approx(8 * gradient(8, "sum"))


def test_a_mean_does_not() -> None:
    assert gradient(64, "mean") == pytest.approx(gradient(8, "mean"))
