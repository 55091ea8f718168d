"""TP934 beyond its examples."""
from __future__ import annotations

import pytest
from support import codes

HEAD = """\
import torch
from torch import nn
from torch.utils.data import DataLoader
loader = DataLoader(data(), 4)
net = nn.Linear(4, 1)
for x, y in loader:
    z = net(x)
"""


@pytest.mark.parametrize(
    "expression, expected",
    [
        ("z.squeeze()", ["TP934"]),
        ("torch.squeeze(z)", ["TP934"]),
        ("net(x.cuda()).squeeze()", ["TP934"]),
        ("net(x).detach().squeeze()", ["TP934"]),
        ("y.float().squeeze()", ["TP934"]),
        ("z.squeeze(1)", []),
        ("z.squeeze(dim=1)", []),
        ("torch.squeeze(z, 1)", []),
        ("z.squeeze(*dims)", []),
        ("x[0].squeeze()", []),
        ("unknown(x).squeeze()", []),
        ("net(unknown).squeeze()", []),
        ("net(x[:1]).mean().squeeze()", []),
    ],
)
def test_expressions(expression: str, expected: list[str]) -> None:
    assert codes(f"{HEAD}    {expression}", ["TP934"]) == expected
