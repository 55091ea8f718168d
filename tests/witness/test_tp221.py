"""TP221 parameter-rewrapped: two parameters over one memory, until the first move."""
from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, tie: Any) -> None:
        super().__init__()
        self.embed = nn.Embedding(5, 3)
        self.head = nn.Linear(3, 5, bias=False)
        self.head.weight = tie(self.embed.weight)


@pytest.mark.parametrize("tie", [nn.Parameter, lambda w: nn.Parameter(w.data)], ids=["itself", "data"])
def test_two_parameters_share_memory_until_they_are_moved(tie: Any) -> None:
    model = Model(tie)
    assert len(list(model.parameters())) == 2
    assert model.head.weight.data_ptr() == model.embed.weight.data_ptr()
    model.head(model.embed(torch.tensor([1]))).sum().backward()
    assert not torch.equal(model.head.weight.grad, model.embed.weight.grad), "each has a gradient of its own"
    model.double()
    assert model.head.weight.data_ptr() != model.embed.weight.data_ptr()
    with torch.no_grad():
        model.embed.weight.zero_()
    assert model.head.weight.abs().sum() > 0


def test_a_transposed_view_is_untied_too() -> None:
    linear, back = nn.Linear(3, 2), nn.Linear(2, 3)
    back.weight = nn.Parameter(linear.weight.t())
    both = nn.ModuleList([linear, back]).double()
    assert both[0].weight.data_ptr() != both[1].weight.data_ptr()


def test_the_parameter_itself_stays_tied() -> None:
    model = Model(lambda w: w)
    assert len(list(model.parameters())) == 1
    model.double()
    assert model.head.weight is model.embed.weight
