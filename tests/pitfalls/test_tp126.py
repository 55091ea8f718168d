"""TP126 loss-never-backpropagated in the shapes that programs give it."""
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
    "in one branch, and then anyway": """
        for x, y in data:
            opt.zero_grad()
            if smooth:
                loss = F.smooth_l1_loss(net(x), y)  # expect: TP126:9
            loss = F.mse_loss(net(x), y)
            loss.backward()
            opt.step()
    """,
    "an unknown criterion": """
        def train(model, loader, criterion, optimizer):
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(model(x), y)  # expect: TP126:9
                loss = criterion(model(x + 1), y)
                loss.backward()
                optimizer.step()
    """,
    "after the loop, scaled": """
        scaler = torch.amp.GradScaler("cuda")
        opt.zero_grad()
        for x, y in data:
            loss = F.mse_loss(net(x), y)  # expect: TP126:5
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
    """,
}

GOOD = {
    "printed in a notebook, cell by cell": """
        criterion = nn.MSELoss()
        loss = criterion(net(x), y)
        print(loss)
        other = criterion(net(x), y)
        other.backward()
    """,
    "read by the pass after": """
        loss = None
        for x, y in data:
            if loss is not None:
                print(loss.item())
            loss = F.l1_loss(net(x), y)
            F.mse_loss(net(x), y).backward()
            opt.step()
    """,
    "read by a function inside": """
        def train():
            def report():
                print(loss.item())

            loss = F.l1_loss(net(x), y)
            report()
            F.mse_loss(net(x), y).backward()
            opt.step()
    """,
    "a global": """
        def train():
            global last_loss
            last_loss = F.mse_loss(net(x), y)
            F.mse_loss(net(x), y).backward()
            opt.step()
    """,
    "a loss object and its result": """
        def train():
            loss = nn.CrossEntropyLoss(torch.ones(2))
            loss = loss(net(x), y)
            loss.backward()
            opt.step()
    """,
    "tried": """
        def train():
            try:
                loss = F.cross_entropy(net(x), y)
            except RuntimeError:
                print("as expected")
            loss = F.mse_loss(net(x), y)
            loss.backward()
            opt.step()
    """,
    "a number": """
        def train():
            l1_loss = F.l1_loss(net(x), y).item()
            loss = F.mse_loss(net(x), y)
            loss.backward()
            opt.step()
    """,
    "a function that trains": """
        def loss_step(x, y):
            loss = F.mse_loss(net(x), y)
            loss.backward()
            opt.step()
            return loss

        loss = loss_step(x, y)
        loss = F.l1_loss(net(x), y)
        loss.backward()
    """,
    "found in a loop": """
        for x, y in data:
            loss = F.mse_loss(net(x), y)
            if bool(torch.isfinite(x).all()):
                break
        loss.backward()
        opt.step()
    """,
    "the fastest of several": """
        for _ in range(10):
            loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.step()
    """,
}


@pytest.mark.parametrize("source", BAD.values(), ids=BAD)
def test_reported(source: str) -> None:
    text = PRELUDE + textwrap.dedent(source)
    assert check(text, ["TP126"]) == marks(text)


@pytest.mark.parametrize("source", GOOD.values(), ids=GOOD)
def test_silent(source: str) -> None:
    assert check(PRELUDE + textwrap.dedent(source), ["TP126"]) == []


def test_a_loss_and_a_backward_of_other_files() -> None:
    sources = {
        "a.py": """
            from parts import back, dice_loss, focal_loss

            def train(model, loader, optimizer):
                model.train()
                for x, y in loader:
                    optimizer.zero_grad()
                    loss = dice_loss(model(x), y)
                    loss = focal_loss(model(x), y)
                    back(loss)
                    optimizer.step()
        """,
        "parts.py": """
            import torch

            def dice_loss(p, y):
                return 1 - 2 * (p * y).sum() / (p + y).sum()

            def focal_loss(p, y):
                return -((1 - p) ** 2 * torch.log(p) * y).mean()

            def back(loss):
                loss.backward()
        """,
    }
    assert check(sources) == [(8, 9, "TP126")]
