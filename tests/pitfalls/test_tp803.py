"""TP803 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

PROGRAM = """\
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from helpers import clear, look
@torch.library.custom_op("my::op", mutates_args={declared})
def op(x: Tensor, y: Tensor, n: int) -> Tensor:
    {body}
"""
HELPERS = """\
import torch
def clear(t):
    t.zero_()
def look(t):
    return t.sum()
"""


def found(body: str, declared: str = "()") -> list[tuple[int, int]]:
    text = PROGRAM.format(declared=declared, body=body.replace("\n", "\n    "))
    return [(line, column) for line, column, _ in check({"a.py": text, "helpers.py": HELPERS}, ["TP803"])]


@pytest.mark.parametrize(
    "body",
    [
        "x.add_(y)\nreturn x + 1",
        "x += y\nreturn x + 1",
        "x[0] = 1\nreturn x + 1",
        "x[0] += 1\nreturn x + 1",
        "x.data.mul_(2)\nreturn x + 1",
        "x.T.zero_()\nreturn x + 1",
        "F.relu(x, inplace=True)\nreturn x + 1",
        "nn.init.zeros_(x)\nreturn x + 1",
        "torch.relu_(x)\nreturn x + 1",
        "torch.add(y, 1, out=x)\nreturn x + 1",
        "clear(x)\nreturn x + 1",
        "if n:\n    x.copy_(y)\nreturn y + 1",
        "flat = x.view(-1)\nflat[0] = 1\nreturn x + 1",
        "array = x.numpy()\narray[0] = 1\nreturn x + 1",
    ],
)
def test_undeclared_change(body: str) -> None:
    assert found(body) == [(5, 2)]
    assert found(body, '["x"]') == []
    assert found(body, '"unknown"') == []


@pytest.mark.parametrize(
    "body, place",
    [
        ("return x", (7, 12)),
        ("return x.view(-1)", (7, 12)),
        ("return x[0]", (7, 12)),
        ("return x.detach()", (7, 12)),
        ("return x if n else y + 1", (7, 12)),
        ("z = x\nreturn z", (8, 12)),
        ("return torch.from_numpy(x.numpy())", (7, 12)),
    ],
)
def test_returned_argument(body: str, place: tuple[int, int]) -> None:
    assert found(body) == [place]
    assert found(body, '("x",)') == [place]


@pytest.mark.parametrize(
    "body",
    [
        "return x + 1",
        "x = x * 2\nx += 1\nreturn x",
        "x = x.clone()\nx[0] = 1\nreturn x",
        "n += 1\nreturn x * n",
        "look(x)\nreturn x.clone()",
        "z = torch.zeros(3)\nz.add_(x)\nreturn z",
        "return x.contiguous()",
        "return x.to(torch.float16)",
        "torch.add(x, y, out=torch.empty(3))\nreturn x.sum()",
        "def inner(t):\n    t.zero_()\nreturn x * 2",
        "x.requires_grad_()\nreturn x * 2",
    ],
)
def test_arguments_are_left_alone(body: str) -> None:
    assert found(body) == []


@pytest.mark.parametrize("declared", ['("z",)', '["x", "z"]', '"x"'])
def test_names_no_parameter(declared: str) -> None:
    assert found("return x + y", declared) == [(5, 2)]


@pytest.mark.parametrize("declared", ["names", "[*names]", "[names]"])
def test_declared_elsewhere(declared: str) -> None:
    assert found("x.add_(1)\nreturn x + 1", declared) == []
