"""TP933 beyond its examples."""
from __future__ import annotations

import pytest
from support import codes

HEAD = """\
import torch
from torch import cat
def f(items, net, x):
    out = x
"""


@pytest.mark.parametrize(
    "loop, body, expected",
    [
        ("for y in items", "out = cat([out, y])", ["TP933"]),
        ("for y in items", "out = torch.hstack((y, out))", ["TP933"]),
        ("while items", "out = torch.cat(tensors=[out, x])", ["TP933"]),
        ("for y in items", "out = cat([out, y]); net(out)", []),
        ("for y in items", "out = net(y); out = cat([out, y])", []),
        ("for y in items", "out = cat([out[1:], y])", []),
        ("for y in items", "other = cat([out, y])", []),
        ("for y in items", "out = cat(y)", []),
        ("for y in range(4)", "out = cat([out, x])", []),
        ("for y in range(4000)", "out = cat([out, x])", ["TP933"]),
        ("for y in (1, 2)", "out = cat([out, x])", []),
        ("if items", "out = cat([out, x])", []),
    ],
)
def test_loops(loop: str, body: str, expected: list[str]) -> None:
    assert codes(f"{HEAD}    {loop}:\n        {body}\n    return out", ["TP933"]) == expected
