"""TP206 parameter-not-registered: a tensor that requires grad is no parameter of its module."""
from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self, alpha: Any) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.alpha = alpha

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x) * self.alpha


def step(gate: Gate) -> None:
    optimizer = torch.optim.SGD(gate.parameters(), lr=0.1)
    gate(torch.ones(2, 3)).sum().backward()
    optimizer.step()
    optimizer.zero_grad()


def test_a_plain_tensor_is_not_trained_saved_or_moved() -> None:
    gate = Gate(torch.ones(3, requires_grad=True))
    assert [name for name, _ in gate.named_parameters()] == ["linear.weight", "linear.bias"]
    assert "alpha" not in gate.state_dict()
    step(gate)
    assert torch.equal(gate.alpha, torch.ones(3))
    assert gate.alpha.grad is not None, "zero_grad does not clear it either"
    gate.to(torch.float64)
    assert gate.alpha.dtype == torch.float32


def test_a_parameter_is() -> None:
    gate = Gate(nn.Parameter(torch.ones(3)))
    assert "alpha" in dict(gate.named_parameters()) and "alpha" in gate.state_dict()
    step(gate)
    assert not torch.equal(gate.alpha, torch.ones(3))
    assert gate.alpha.grad is None
    gate.to(torch.float64)
    assert gate.alpha.dtype == torch.float64


@pytest.mark.parametrize(
    "change",
    [lambda p: p * 0.1, lambda p: -p, lambda p: p.double(), lambda p: p.to("meta"), lambda p: p.unsqueeze(0)],
    ids=["times", "minus", "double", "to", "unsqueeze"],
)
def test_what_is_made_from_a_parameter_is_none(change: Any) -> None:
    gate = Gate(change(nn.Parameter(torch.ones(3))))
    assert "alpha" not in dict(gate.named_parameters())
    assert "alpha" not in gate.state_dict()


@pytest.mark.parametrize(
    "change",
    [lambda p: p.to("cpu"), lambda p: p.float(), lambda p: p.requires_grad_()],
    ids=["to", "float", "requires_grad_"],
)
def test_a_move_that_changes_nothing_keeps_it(change: Any) -> None:
    assert "alpha" in dict(Gate(change(nn.Parameter(torch.ones(3)))).named_parameters())
