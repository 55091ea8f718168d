"""TP946 beyond its examples."""
from __future__ import annotations

import pytest
from support import codes

HEAD = """\
import torch
from torch import nn
def train(batches):
    net = nn.Linear(4, 1).MOVE
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step, (x, y) in enumerate(batches):
        optimizer.zero_grad()
        out = net(x)
        loss = nn.functional.mse_loss(out, y)
        loss.backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    "body, expected",
    [
        ("total = loss.item()", ["TP946"]),
        ("losses = loss.tolist(), out.cpu()", ["TP946"]),
        ("print('loss', loss)", ["TP946"]),
        ("print(f'{step}: {loss}')", ["TP946"]),
        ("print(step, total)", []),
        ("total = loss.detach()", []),
        ("if step % 10 == 0: print(loss.item())", []),
        ("report = lambda: loss.item()", []),
        ("unknown.item()", []),
    ],
)
def test_steps(body: str, expected: list[str]) -> None:
    assert codes(HEAD.replace("MOVE", "cuda()") + f"        {body}", ["TP946"]) == expected


def test_on_the_cpu() -> None:
    assert codes(HEAD.replace("MOVE", "cpu()") + "        loss.item()", ["TP946"]) == []
