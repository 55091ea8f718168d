"""TP204 forward-called-directly: ``forward`` alone runs no hooks."""
from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn.utils import parametrize


def test_forward_runs_neither_kind_of_hook() -> None:
    layer, seen = nn.Linear(2, 2), []
    layer.register_forward_pre_hook(lambda *_: seen.append("before"))
    layer.register_forward_hook(lambda *_: seen.append("after"))
    layer.forward(torch.ones(1, 2))
    assert seen == []
    layer(torch.ones(1, 2))
    assert seen == ["before", "after"]


def test_a_full_backward_hook_is_lost_too() -> None:
    layer, seen = nn.Linear(2, 2), []
    layer.register_full_backward_hook(lambda *_: seen.append("backward"))
    x = torch.ones(1, 2, requires_grad=True)
    layer.forward(x).sum().backward()
    assert seen == []
    layer(x).sum().backward()
    assert seen == ["backward"]


@pytest.mark.filterwarnings("ignore")
def test_the_older_weight_norm_goes_stale() -> None:
    layer = nn.utils.weight_norm(nn.Linear(2, 2, bias=False))
    before = layer(torch.ones(1, 2)).detach()
    with torch.no_grad():
        layer.weight_g.mul_(2.0)
        assert torch.equal(layer.forward(torch.ones(1, 2)), before)
        assert torch.allclose(layer(torch.ones(1, 2)), 2 * before)


def test_a_parametrization_is_no_hook_and_stays_right() -> None:
    layer = nn.utils.parametrizations.weight_norm(nn.Linear(2, 2, bias=False))
    assert parametrize.is_parametrized(layer)
    x = torch.ones(1, 2)
    assert torch.equal(layer.forward(x), layer(x))


def test_a_lazy_layer_stays_uninitialized() -> None:
    layer = nn.LazyLinear(2)
    with pytest.raises(Exception, match="[Uu]ninitialized"):
        layer.forward(torch.ones(1, 3))
    assert layer(torch.ones(1, 3)).shape == (1, 2)
