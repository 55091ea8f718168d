"""TP301: operations that leave their input as it is."""
from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn


@pytest.mark.parametrize(
    "operation",
    [
        Tensor.detach,
        lambda x: x.view(-1),
        lambda x: x.clamp(0, 1),
        lambda x: x.unsqueeze(0),
        torch.relu,
        F.normalize,
        F.relu,
        nn.ReLU(),
    ],
    ids=["detach", "view", "clamp", "unsqueeze", "torch.relu", "normalize", "F.relu", "ReLU"],
)
def test_the_input_stays(operation: Callable[[Tensor], Tensor]) -> None:
    x = (torch.randn(2, 3) * 4).requires_grad_() * 1
    before, node = x.detach().clone(), x.grad_fn
    operation(x)
    assert torch.equal(x, before) and x.shape == (2, 3) and x.grad_fn is node


def test_a_dropped_detach_keeps_the_graph_of_the_last_window() -> None:
    cell, hidden = nn.GRU(2, 2), torch.zeros(1, 1, 2)
    with pytest.raises(RuntimeError, match="second time"):
        for _ in range(2):
            hidden.detach()
            _, hidden = cell(torch.ones(1, 1, 2), hidden)
            hidden.sum().backward()

    hidden = torch.zeros(1, 1, 2)
    for _ in range(2):
        hidden = hidden.detach()
        _, hidden = cell(torch.ones(1, 1, 2), hidden)
        hidden.sum().backward()


def test_in_place_twins_do_change_it() -> None:
    x = torch.tensor([-1.0, 2.0])
    F.relu(x, inplace=True)
    assert x.tolist() == [0, 2]
    assert x.clamp_(0, 1).tolist() == [0, 1] == x.tolist()
