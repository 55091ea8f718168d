"""TP953 beyond its examples."""
from __future__ import annotations

import pytest
from support import check, codes

TEXT = """\
import torch
from torch import nn
from torch.utils.data import DataLoader
def train(data, device, options):
    net = nn.Linear(4, 1).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loader = DataLoader(data, GIVEN)
    for batch in loader:
        x, y = batch
        MOVE
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    "given, move, expected",
    [
        ("32", "x = x.cuda()", [(7, 14, "TP953")]),
        ("32", "x, y = x.float().to('cuda'), y", [(7, 14, "TP953")]),
        ("32", "x = batch[0].cuda()", [(7, 14, "TP953")]),
        ("32", "x = x.float()", []),
        ("32, pin_memory=False", "x = x.cuda()", []),
        ("32, **options", "x = x.cuda()", []),
        ("32, collate_fn=options", "x = x.cuda()", []),
    ],
)
def test_loaders(given: str, move: str, expected: list[tuple[int, int, str]]) -> None:
    assert check(TEXT.replace("GIVEN", given).replace("MOVE", move), ["TP953"]) == expected


def test_no_training() -> None:
    text = TEXT.replace("GIVEN", "32").replace("MOVE", "x = x.cuda()").replace(".backward()", "")
    assert codes(text, ["TP953"]) == []
