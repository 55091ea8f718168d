"""TP944 beyond its examples."""
from __future__ import annotations

import pytest
from support import codes

HEAD = """\
import torch
def f(items, given, device):
    weights = torch.ones(4)
    there = torch.ones(4, device=device)
    for item in items:
"""


@pytest.mark.parametrize(
    "body, expected",
    [
        ("use(weights.to(device))", ["TP944"]),
        ("moved = weights.cuda()", ["TP944"]),
        ("use(weights.to('cpu'))", []),
        ("use(weights.to(torch.float16))", []),
        ("weights = weights.to(device)", []),
        ("weights += 1; use(weights.to(device))", []),
        ("weights[0] = 1; use(weights.to(device))", []),
        ("weights.fill_(item); use(weights.to(device))", []),
        ("torch.add(item, 1, out=weights); use(weights.to(device))", []),
        ("item = torch.ones(4); use(item.to(device))", []),
        ("use(item.to(device))", []),
        ("use(given.to(device))", []),
        ("use(there.to(device))", []),
    ],
)
def test_loops(body: str, expected: list[str]) -> None:
    assert codes(f"{HEAD}        {body}", ["TP944"]) == expected
