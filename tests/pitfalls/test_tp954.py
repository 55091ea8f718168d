"""TP954 beyond its examples."""
from __future__ import annotations

import pytest
from support import codes

TEXT = """\
import torch
from torch import nn
from torch.utils.data import DataLoader
def train(data, device, options):
    net = nn.Linear(4, 1).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in DataLoader(data, 32, GIVEN):
        x = x.MOVE
        y = y.MOVE
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    "given, move, expected",
    [
        ("pin_memory=True", "cuda()", ["TP954"]),
        ("pin_memory=True", "to('cuda')", ["TP954"]),
        ("pin_memory=True", "cuda(non_blocking=True)", []),
        ("pin_memory=True", "to('cuda', None, True)", []),
        ("pin_memory=True", "to('cuda', **options)", []),
        ("pin_memory=options", "cuda()", []),
        ("pin_memory=options", "cuda(non_blocking=True)", []),
        ("shuffle=True", "cuda(non_blocking=True)", ["TP954"]),
        ("shuffle=True", "cuda()", []),
        ("**options", "cuda(non_blocking=True)", []),
    ],
)
def test_pairs(given: str, move: str, expected: list[str]) -> None:
    assert codes(TEXT.replace("GIVEN", given).replace("MOVE", move), ["TP954"]) == expected
