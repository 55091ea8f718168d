"""TP917 accumulation-remainder-dropped in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = """\
import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
"""

BAD = {
    "a number computed from the loop's": """
        for i, (x, y) in enumerate(data):
            number = i + 1
            (F.mse_loss(net(x), y) / 4).backward()
            if number % 4 == 0:  # expect: TP917:5
                opt.step()
                opt.zero_grad()
    """,
    "cleared at the start of an epoch": """
        for epoch in range(3):
            opt.zero_grad()
            for i, (x, y) in enumerate(data):
                (F.mse_loss(net(x), y) / 4).backward()
                if i % 4 == 3:  # expect: TP917:9
                    opt.step()
                    opt.zero_grad()
    """,
}

GOOD = {
    "a step in the other branch": """
        for i, (x, y) in enumerate(data):
            (F.mse_loss(net(x), y) / 4).backward()
            if i % 4 == 3:
                opt.step()
                opt.zero_grad()
            elif i == len(data) - 1:
                opt.step()
                opt.zero_grad()
    """,
    "a loop without an end": """
        i = 0
        while True:
            x, y = draw()
            (F.mse_loss(net(x), y) / 4).backward()
            i += 1
            if i % 4 == 0:
                opt.step()
                opt.zero_grad()
    """,
    "a count that an object keeps": """
        class Trainer:
            def __init__(self):
                self.seen = 0

            def epoch(self, loader):
                for x, y in loader:
                    (F.mse_loss(net(x), y) / 4).backward()
                    self.seen += 1
                    if self.seen % 4 == 0:
                        opt.step()
                        opt.zero_grad()
    """,
}


@pytest.mark.parametrize("source", BAD.values(), ids=BAD)
def test_reported(source: str) -> None:
    text = PRELUDE + textwrap.dedent(source)
    assert check(text, ["TP917"]) == marks(text)


@pytest.mark.parametrize("source", GOOD.values(), ids=GOOD)
def test_silent(source: str) -> None:
    assert check(PRELUDE + textwrap.dedent(source), ["TP917"]) == []


def test_advice_is_off_unless_asked_for() -> None:
    assert check(PRELUDE + textwrap.dedent(BAD["cleared at the start of an epoch"]), ["TP0", "TP1"]) == []
