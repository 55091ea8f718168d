"""TP205 submodules-in-plain-container: what a list or dict holds, a module does not see."""
from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn


class Tower(nn.Module):
    def __init__(self, wrap: Any) -> None:
        super().__init__()
        self.layers = wrap([nn.Linear(4, 4), nn.Dropout(0.5)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


@pytest.mark.parametrize("wrap", [list, tuple, lambda layers: dict(enumerate(layers))])
def test_a_plain_container_hides_its_modules(wrap: Any) -> None:
    tower = Tower(wrap)
    assert list(tower.parameters()) == []
    assert tower.state_dict() == {}
    layers = tower.layers.values() if isinstance(tower.layers, dict) else tower.layers
    first, dropout = layers
    tower.to(torch.float64)
    tower.eval()
    assert first.weight.dtype == torch.float32
    assert dropout.training


def test_an_optimizer_refuses_or_never_trains_them() -> None:
    with pytest.raises(ValueError, match="empty parameter list"):
        torch.optim.SGD(Tower(list).parameters(), lr=0.1)


def test_a_module_list_registers_them() -> None:
    tower = Tower(nn.ModuleList)
    assert len(list(tower.parameters())) == 2
    assert len(tower.state_dict()) == 2
    tower.to(torch.float64)
    tower.eval()
    assert tower.layers[0].weight.dtype == torch.float64
    assert not tower.layers[1].training


def test_members_with_an_attribute_of_their_own_are_registered() -> None:
    net = nn.Module()
    net.down = nn.Linear(4, 2)
    net.order = [net.down]
    assert len(list(net.parameters())) == 2


def test_a_list_hides_parameters_too() -> None:
    net = nn.Module()
    net.alphas = [nn.Parameter(torch.ones(1)) for _ in range(3)]
    assert list(net.parameters()) == []
    net.alphas = nn.ParameterList(net.alphas)
    assert len(list(net.parameters())) == 3
