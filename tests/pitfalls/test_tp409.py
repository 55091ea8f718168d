"""TP409 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import torch
from torch import nn
def f(x: torch.Tensor, net: nn.Module, hook):
    s = torch.cuda.Stream()
    s.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(s):
        y = torch.relu(x)
"""


def found(body: str) -> list[tuple[int, int]]:
    text = HEAD + "".join(f"    {line}\n" for line in body.split("\n"))
    return [(line - 7, column) for line, column, _ in check(text, ["TP409"])]


@pytest.mark.parametrize(
    "body, place",
    [
        ("return y * 2", (1, 12)),
        ("return y.sum()", (1, 12)),
        ("return net(y)", (1, 16)),
        ("print(y)", (1, 11)),
        ("if x.shape[0]:\n    return torch.exp(y)", (2, 26)),
        ("hook(x)\nreturn y.item()", (2, 12)),
    ],
)
def test_used_too_early(body: str, place: tuple[int, int]) -> None:
    assert found(body) == [place]


@pytest.mark.parametrize(
    "body",
    [
        "return y",
        "return y.shape",
        "y.record_stream(s)\nreturn y",
        "s.synchronize()\nreturn y.sum()",
        "torch.cuda.current_stream().wait_stream(s)\nreturn y.sum()",
        "y = x + 1\nreturn y.sum()",
        "with torch.cuda.stream(s):\n    return y.sum()",
        "return hook(y)",
    ],
)
def test_waited_for_or_unknown(body: str) -> None:
    assert found(body) == []


def test_a_helper_waits() -> None:
    text = HEAD + "    join(s)\n    return y.sum()\nfrom b import join\n"
    helper = "import torch\ndef join(s):\n    torch.cuda.current_stream().wait_stream(s)\n"
    assert check({"a.py": text, "b.py": helper}, ["TP409"]) == []


def test_inputs() -> None:
    text = """\
import torch
def f():
    x = torch.randn(3, device="cuda") * 2
    s = torch.cuda.Stream()
    with torch.cuda.stream(s):
        y = x + 1
    s.synchronize()
    return y
"""
    assert check(text, ["TP409"]) == [(6, 13, "TP409")]
    assert check(text.replace("    with", "    torch.cuda.synchronize()\n    with"), ["TP409"]) == []
