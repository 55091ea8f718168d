"""TP310 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import torch
def f(x: torch.Tensor, n: int, fill, xs):
"""


def found(*lines: str) -> list[tuple[int, int, str]]:
    return check(HEAD + "".join(f"    {line}\n" for line in lines), ["TP310"])


@pytest.mark.parametrize(
    "made", ["torch.empty(n)", "torch.empty((n, 3))", "torch.empty_like(x)", "x.new_empty(n)", "torch.Tensor(n, 2)", "torch.Tensor(3)"]
)
@pytest.mark.parametrize(
    "use", ["t += x", "t[n] += 1", "t.add_(x)", "return t + x", "return x * t", "return t.sum()", "return torch.mm(x, t)"]
)
def test_read_first(made: str, use: str) -> None:
    assert found(f"t = {made}", use) == [(3, 9, "TP310")]


@pytest.mark.parametrize(
    "made", ["torch.zeros(n)", "torch.empty(0)", "torch.empty(n, 0)", "torch.empty(*xs)", "torch.empty(n, device='meta')",
             "torch.Tensor(xs)", "torch.Tensor([n])", "xs.empty(n)", "torch.empty(n).normal_()"]
)
def test_not_uninitialised(made: str) -> None:
    assert found(f"t = {made}", "return t + x") == []


@pytest.mark.parametrize(
    "first", ["t.zero_()", "t[:] = 0", "t[n] = x", "fill(t)", "t = x", "t.copy_(x)", "torch.add(x, x, out=t)", "t.data.fill_(1)",
              "for i in xs: t[i] = i", "for i in xs: t[i].uniform_()", "u = t"]
)
def test_may_be_written(first: str) -> None:
    assert found("t = torch.empty(n)", first, "return t + x") == []


def test_written_in_one_branch_only() -> None:
    assert found("t = torch.empty(n)", "if n:", "    t.zero_()", "return t + x") == [(3, 9, "TP310")]
