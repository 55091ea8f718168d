"""TP107 on real torch: leaves refuse changes in place, and updates that are assigned lose the leaf."""
from __future__ import annotations

import pytest
import torch
from torch import nn


def subtract(w):
    w -= 0.1


def set_item(w):
    w[0] = 5.0


CHANGES = [subtract, set_item, lambda w: w.add_(1), lambda w: w.uniform_(-1, 1)]
IDS = ["operator", "item", "method", "initialisation"]


@pytest.mark.parametrize("change", CHANGES, ids=IDS)
def test_a_leaf_refuses(change):
    with pytest.raises(RuntimeError, match="leaf Variable that requires grad"):
        change(nn.Parameter(torch.ones(2)))


@pytest.mark.parametrize("change", CHANGES, ids=IDS)
def test_without_recording_it_does_not(change):
    w = nn.Parameter(torch.ones(2))
    with torch.no_grad():
        change(w)
    assert not torch.equal(w.data, torch.ones(2))
    change(w.data)
    change(torch.ones(2))


@pytest.mark.filterwarnings("ignore:The .grad attribute")
def test_an_assigned_update_has_no_gradient():
    w = torch.ones(2, requires_grad=True)
    w.pow(2).sum().backward()
    w = w - 0.1 * w.grad
    w.pow(2).sum().backward()
    assert w.grad is None


def test_without_recording_it_requires_none():
    w = torch.ones(2, requires_grad=True)
    w.pow(2).sum().backward()
    with torch.no_grad():
        w = w - 0.1 * w.grad
    with pytest.raises(RuntimeError, match="does not require grad"):
        w.pow(2).sum().backward()


def test_the_variable_of_a_loop_leaves_the_model_as_it_is():
    net = nn.Linear(2, 1)
    before = [p.detach().clone() for p in net.parameters()]
    net(torch.ones(1, 2)).sum().backward()
    for p in net.parameters():
        p = p - 0.1 * p.grad
    assert all(torch.equal(p, old) for p, old in zip(net.parameters(), before))
