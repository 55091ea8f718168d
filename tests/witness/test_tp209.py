"""TP209: which functional layers go on in eval mode, and which never begin."""
from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

ONES = torch.ones(2, 4, 8)


class Layer(nn.Module):
    def __init__(self, function: Callable[[nn.Module, Tensor], Tensor]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: Tensor) -> Tensor:
        return self.function(self, x)


@pytest.mark.parametrize(
    "function",
    [
        lambda self, x: F.dropout(x),
        lambda self, x: F.dropout1d(x),
        lambda self, x: F.dropout2d(x[..., None]),
        lambda self, x: F.dropout3d(x[..., None, None]),
        lambda self, x: F.dropout(x, training=True),
        lambda self, x: F.scaled_dot_product_attention(x, x, x, dropout_p=0.5),
    ],
    ids=["dropout", "dropout1d", "dropout2d", "dropout3d", "True", "attention"],
)
def test_drops_after_eval(function: Callable[[nn.Module, Tensor], Tensor]) -> None:
    torch.manual_seed(0)
    net = Layer(function).eval()
    assert not all(torch.equal(net(ONES), net(ONES)) for _ in range(8))


@pytest.mark.parametrize(
    "function",
    [
        lambda self, x: F.dropout(x, training=self.training),
        lambda self, x: F.scaled_dot_product_attention(x, x, x, dropout_p=0.5 if self.training else 0.0),
    ],
    ids=["dropout", "attention"],
)
def test_follows_eval(function: Callable[[nn.Module, Tensor], Tensor]) -> None:
    net = Layer(function).eval()
    assert all(torch.equal(net(ONES), net(ONES)) for _ in range(8))


@pytest.mark.parametrize("function", [F.alpha_dropout, F.feature_alpha_dropout])
def test_never_drops(function: Callable[..., Tensor]) -> None:
    assert torch.equal(function(ONES, 0.5), ONES)
    assert any(not torch.equal(function(ONES, 0.5, training=True), ONES) for _ in range(8))


def test_never_draws_a_slope() -> None:
    assert torch.equal(F.rrelu(-ONES), F.rrelu(-ONES))
    assert not torch.equal(F.rrelu(-ONES, training=True), F.rrelu(-ONES, training=True))


def test_batch_norm_keeps_updating() -> None:
    norm = nn.BatchNorm1d(4).eval()
    F.batch_norm(ONES, norm.running_mean, norm.running_var, training=True)
    assert norm.running_mean is not None and norm.running_mean.sum() > 0
