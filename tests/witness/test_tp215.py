"""TP215: attributes that torch takes and does not read."""
from __future__ import annotations

import pytest
import torch
from torch import nn


def test_an_attribute_of_a_module_freezes_nothing() -> None:
    net = nn.Linear(2, 2)
    net.requires_grad = False
    assert all(parameter.requires_grad for parameter in net.parameters())
    net.requires_grad_(False)
    assert not any(parameter.requires_grad for parameter in net.parameters())


@pytest.mark.parametrize("name", ["require_grad", "required_grad", "requires_grads", "requires_grad_"])
def test_misspelt_attributes_of_a_parameter(name: str) -> None:
    weight = nn.Linear(2, 2).weight
    setattr(weight, name, False)
    assert weight.requires_grad
    weight.requires_grad = False
    assert not weight.requires_grad


def test_an_attribute_of_an_optimizer() -> None:
    optimizer = torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=0.1)
    optimizer.lr = 5.0
    assert optimizer.param_groups[0]["lr"] == 0.1
