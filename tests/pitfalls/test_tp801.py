"""TP801 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

OP = """\
import torch
from torch import nn
@torch.library.custom_op("a::f", mutates_args=())
def f(x: torch.Tensor) -> torch.Tensor: ...
"""


def found(after: str) -> list[tuple[int, int]]:
    return [(line, column) for line, column, _ in check(OP + after, ["TP801"])]


@pytest.mark.parametrize(
    "after",
    [
        "class A(nn.Module):\n    def forward(self, x):\n        return f(x)",
        "f(x).sum().backward()",
        "torch.ops.a.f.default(x)\nf(x).backward()",
        "torch.ops.a.f(x).sum().backward()",
    ],
)
def test_without(after: str) -> None:
    assert found(after) == [(3, 2)]


@pytest.mark.parametrize(
    "after",
    [
        "",
        "def g(x): return f(x)",
        "loss.backward()",
        "with torch.no_grad():\n    f(x)\nloss.backward()",
        "f(x).backward()\nf.register_autograd(g)",
        "f(x).backward()\ntorch.library.register_autograd('a::f', g)",
        "f(x).backward()\ntorch.library.impl('a::f', 'Autograd')(g)",
        "class G(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        return f(x)\n"
        "    @staticmethod\n    def backward(ctx, g):\n        return g\nG.apply(x).backward()",
        "self.f(x).backward()",
    ],
)
def test_with_or_not_trained(after: str) -> None:
    assert found(after) == []
