"""TP114 accumulated-loss-not-scaled in the shapes that programs give it."""
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
    "a negated remainder": """
        for i, (x, y) in enumerate(data):
            F.mse_loss(net(x), y).backward()  # expect: TP114:5
            if not (i + 1) % 4:
                opt.step()
                opt.zero_grad()
    """,
    "a condition more": """
        for i, (x, y) in enumerate(data):
            loss = F.mse_loss(net(x), y)
            loss.backward()  # expect: TP114:5
            if i > 0 and 0 == i % 4:
                opt.step()
                opt.zero_grad()
    """,
    "two terms, one of them weighted": """
        for i, (x, y) in enumerate(data):
            loss = F.mse_loss(net(x), y)
            loss += 0.1 * F.l1_loss(net(x), y)
            loss.backward()  # expect: TP114:5
            if (i + 1) % 4 == 0:
                opt.step()
                opt.zero_grad()
    """,
    "a criterion with another reduction spelled out": """
        criterion = nn.MSELoss(reduction="mean")
        for i, (x, y) in enumerate(data):
            loss = criterion(net(x), y)
            loss.backward()  # expect: TP114:5
            if (i + 1) % 4 == 0:
                opt.step()
                net.zero_grad()
    """,
    "divided for the log only": """
        total = 0.0
        for i, (x, y) in enumerate(data):
            loss = F.mse_loss(net(x), y)
            total += loss.item() / 4
            loss.backward()  # expect: TP114:5
            if (i + 1) % 4 == 0:
                opt.step()
                opt.zero_grad()
    """,
    "without synchronization on the way": """
        for i, (x, y) in enumerate(data):
            if (i + 1) % 4 != 0:
                with ddp.no_sync():
                    loss = F.mse_loss(net(x), y)
                    loss.backward()  # expect: TP114:13
            else:
                loss = F.mse_loss(net(x), y)
                loss.backward()
                opt.step()
                opt.zero_grad()
    """,
    "the loop is elsewhere": """
        class Learner:
            def __init__(self, model):
                self.model = model
                self.optimizer = torch.optim.Adam(model.parameters())

            def on_batch(self, index, x, y):
                loss = F.mse_loss(self.model(x), y)
                loss.backward()  # expect: TP114:9
                if (index + 1) % 4 == 0:
                    self.optimizer.step()
                    self.optimizer.zero_grad()
    """,
}

GOOD = {
    "cleared in every pass": """
        for i, (x, y) in enumerate(data):
            opt.zero_grad()
            F.mse_loss(net(x), y).backward()
            if (i + 1) % 4 == 0:
                opt.step()
    """,
    "a gradient of a quarter": """
        for i, (x, y) in enumerate(data):
            F.mse_loss(net(x), y).backward(torch.tensor(0.25))
            if (i + 1) % 4 == 0:
                opt.step()
                opt.zero_grad()
    """,
    "a reduction that is not known": """
        def train(reduction):
            criterion = nn.MSELoss(reduction=reduction)
            for i, (x, y) in enumerate(data):
                criterion(net(x), y).backward()
                if (i + 1) % 4 == 0:
                    opt.step()
                    opt.zero_grad()
    """,
    "a model that divides": """
        class Scaled(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = nn.Linear(2, 1)

            def forward(self, x, y):
                return F.mse_loss(self.inner(x), y) / 4

        model = Scaled()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for i, (x, y) in enumerate(data):
            loss = model(x, y)
            loss.backward()
            if (i + 1) % 4 == 0:
                optimizer.step()
                optimizer.zero_grad()
    """,
    "a parameter that may be scaled": """
        def backward(loss, i):
            loss.backward()
            if (i + 1) % 4 == 0:
                opt.step()
                opt.zero_grad()
    """,
    "only the schedule waits": """
        scheduler = torch.optim.lr_scheduler.StepLR(opt, 1)
        for i, (x, y) in enumerate(data):
            opt.zero_grad()
            F.mse_loss(net(x), y).backward()
            opt.step()
            if (i + 1) % 4 == 0:
                scheduler.step()
    """,
}


@pytest.mark.parametrize("source", BAD.values(), ids=BAD)
def test_reported(source: str) -> None:
    text = PRELUDE + textwrap.dedent(source)
    assert check(text, ["TP0", "TP1"]) == marks(text)


@pytest.mark.parametrize("source", GOOD.values(), ids=GOOD)
def test_silent(source: str) -> None:
    assert check(PRELUDE + textwrap.dedent(source), ["TP114"]) == []


def test_loss_and_step_in_other_files() -> None:
    sources = {
        "a.py": """
            from losses import plain, shared
            from steps import Stepper

            def train(model, loader, every):
                stepper = Stepper(model, every)
                for index, (x, y) in enumerate(loader):
                    loss = plain(model(x), y)
                    loss.backward()
                    stepper.after(index)

            def train_right(model, loader, every):
                stepper = Stepper(model, every)
                for index, (x, y) in enumerate(loader):
                    loss = shared(model(x), y, every)
                    loss.backward()
                    stepper.after(index)
        """,
        "losses.py": """
            import torch.nn.functional as F

            def plain(output, y):
                return F.cross_entropy(output, y)

            def shared(output, y, every):
                return F.cross_entropy(output, y) / every
        """,
        "steps.py": """
            import torch

            class Stepper:
                def __init__(self, model, every):
                    self.optimizer = torch.optim.AdamW(model.parameters())
                    self.every = every

                def after(self, index):
                    if (index + 1) % self.every == 0:
                        self.optimizer.step()
                        self.optimizer.zero_grad()
        """,
    }
    assert check(sources) == [(9, 9, "TP114")]
