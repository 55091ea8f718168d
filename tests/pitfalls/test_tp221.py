"""TP221 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import torch
from torch import nn
class M(nn.Module):
    def __init__(self, n, given):
        super().__init__()
        self.a = nn.Linear(n, n)
        self.b = nn.Linear(n, n)
"""


@pytest.mark.parametrize(
    "statement, column",
    [
        ("self.b.weight = nn.Parameter(self.a.weight)", 25),
        ("self.b.weight = nn.Parameter(self.a.weight.data)", 25),
        ("self.b.weight = nn.Parameter(self.a.weight.detach().t(), requires_grad=True)", 25),
        ("self.b.weight = torch.nn.parameter.Parameter(self.a.weight.T)", 25),
        ("self.weight = nn.Parameter(self.a.weight)", 23),
        ("c = nn.Linear(n, n)\n        self.c = c\n        c.bias = nn.Parameter(self.a.bias)", 18),
    ],
)
def test_a_second_parameter(statement: str, column: int) -> None:
    line = 8 + statement.count("\n")
    assert check(f"{HEAD}        {statement}\n", ["TP221"]) == [(line, column, "TP221")]


@pytest.mark.parametrize(
    "statement",
    [
        "self.b.weight = self.a.weight",
        "self.b.weight = nn.Parameter(self.a.weight.clone())",
        "self.b.weight = nn.Parameter(self.a.weight.t().contiguous())",
        "self.b.weight = nn.Parameter(self.a.weight + 1)",
        "self.b.weight = nn.Parameter(torch.zeros_like(self.a.weight))",
        "self.a.weight = nn.Parameter(self.a.weight)",
        "self.b.weight = nn.Parameter(given.weight)",
        "self.b.weight = nn.Parameter(self.size)",
        "c = nn.Linear(n, n)\n        c.bias = nn.Parameter(self.a.bias)",
        "c = nn.Parameter(self.a.weight)",
    ],
)
def test_tied_copied_or_given_up(statement: str) -> None:
    assert check(f"{HEAD}        {statement}\n", ["TP221"]) == []
