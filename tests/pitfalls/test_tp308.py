"""TP308 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import torch
def f(x: torch.Tensor, y: torch.Tensor, flag, net):
"""


def found(*lines: str) -> list[tuple[int, int, str]]:
    return check(HEAD + "".join(f"    {line}\n" for line in lines), ["TP308"])


@pytest.mark.parametrize("method", ["add_(y)", "mul_(2)", "relu_()", "zero_()", "copy_(y)", "t_()", "masked_fill_(y > 0, 0)"])
@pytest.mark.parametrize("use", ["return z - x", "return net(z, x)", "return net(z)[x]", "net(z); x = x.sum()"])
def test_both_names_are_used(method: str, use: str) -> None:
    assert found(f"z = x.{method}", use) == [(3, 9, "TP308")]


@pytest.mark.parametrize(
    "lines",
    [
        ("x = x.add_(y)", "return x + y"),
        ("z = x.clone().add_(y)", "return z + x"),
        ("z = x.add(y)", "return z + x"),
        ("z = x.add_(y).sqrt()", "return z + x"),
        ("z = x[0].add_(y)", "return z + x"),
        ("z = x.requires_grad_()", "return z + x"),
        ("z = x.add_(y)", "return z"),
        ("z = x.add_(y)", "return x"),
        ("z = x.add_(y)", "return x + y"),
        ("z = x.add_(y)", "x = net(z)", "return x + z"),
        ("z = x.add_(y)", "print(x)", "return z"),
        ("z = x.add_(y)", "net.x = x", "return z.view(x.shape)"),
        ("if flag:", "    z = x.add_(y)", "else:", "    z = x + y", "return z"),
        ("net.z = x.add_(y)", "return x + net.z"),
    ],
)
def test_silent(lines: tuple[str, ...]) -> None:
    assert found(*lines) == []


def test_one_branch_suffices() -> None:
    assert found("if flag:", "    z = x.add_(y)", "else:", "    z = y", "return z * x") == [(4, 13, "TP308")]


def test_loop_variable_is_new_in_each_pass() -> None:
    assert found("for t in net:", "    z = t.add_(1)", "    net(z)") == []
    assert found("for t in net:", "    z = t.add_(1)", "    net(z, t)") == [(4, 13, "TP308")]
