"""TP127: an optimizer that is handed the same parameters twice."""
from __future__ import annotations

import warnings

import pytest
import torch
from torch import nn, optim


class Net(nn.Module):
    def __init__(self, encoder: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(2, 1)


def test_one_group_warns_and_steps_twice() -> None:
    encoder = nn.Linear(2, 2)
    net = Net(encoder)
    with pytest.warns(UserWarning, match="duplicate parameters"):
        optimizer = optim.SGD(list(encoder.parameters()) + list(net.parameters()), lr=1.0)
    before = encoder.bias.detach().clone(), net.head.bias.detach().clone()
    for parameter in net.parameters():
        parameter.grad = torch.ones_like(parameter)
    optimizer.step()
    assert torch.allclose(before[0] - encoder.bias, torch.tensor(2.0))
    assert torch.allclose(before[1] - net.head.bias, torch.tensor(1.0))


def test_adam_counts_two_steps() -> None:
    weight = nn.Parameter(torch.ones(1))
    with pytest.warns(UserWarning, match="duplicate parameters"):
        optimizer = optim.Adam([weight, weight])
    weight.grad = torch.ones(1)
    optimizer.step()
    assert optimizer.state[weight]["step"] == 2


def test_a_block_shared_by_two_modules() -> None:
    encoder = nn.Linear(2, 2)
    one, other = Net(encoder), Net(encoder)
    with pytest.warns(UserWarning, match="duplicate parameters"):
        optim.SGD([*one.parameters(), *other.parameters()], lr=0.1)


def test_two_groups_raise() -> None:
    net = Net(nn.Linear(2, 2))
    with pytest.raises(ValueError, match="more than one parameter group"):
        optim.SGD([{"params": net.parameters()}, {"params": net.head.parameters()}], lr=0.1)
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    with pytest.raises(ValueError, match="more than one parameter group"):
        optimizer.add_param_group({"params": net.head.parameters()})


def test_each_once() -> None:
    net = Net(nn.Linear(2, 2))
    head = {id(p) for p in net.head.parameters()}
    rest = [p for p in net.parameters() if id(p) not in head]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        optimizer = optim.SGD([{"params": rest}, {"params": net.head.parameters()}], lr=0.1)
        net.head = nn.Linear(2, 3)
        optimizer.add_param_group({"params": net.head.parameters()})
        optim.SGD(list(set(net.parameters()) | set(net.encoder.parameters())), lr=0.1)
