"""TP210: containers of modules refuse functions and classes."""
from __future__ import annotations

from collections import OrderedDict

import pytest
import torch
import torch.nn.functional as F
from torch import nn

NO_MODULES = [F.relu, torch.tanh, nn.ReLU, lambda x: x]


@pytest.mark.parametrize("member", NO_MODULES, ids=str)
def test_refused(member: object) -> None:
    with pytest.raises(TypeError, match="is not a Module subclass"):
        nn.Sequential(nn.Linear(1, 1), member)
    with pytest.raises(TypeError, match="is not a Module subclass"):
        nn.Sequential(OrderedDict([("member", member)]))
    with pytest.raises(TypeError, match="is not a Module subclass"):
        nn.ModuleList([member])
    with pytest.raises(TypeError, match="is not a Module subclass"):
        nn.ModuleList().append(member)
    with pytest.raises(TypeError, match="is not a Module subclass"):
        nn.ModuleDict({"member": member})
    with pytest.raises(TypeError, match="is not a Module subclass"):
        nn.Identity().add_module("member", member)


def test_taken() -> None:
    nn.Sequential(nn.ReLU(), None)
    assert nn.Sequential(nn.ReLU(), nn.Tanh())(torch.zeros(1)).item() == 0
