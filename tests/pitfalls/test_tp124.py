"""TP124 optimizer-built-in-loop in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = """\
import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Linear(2, 1)
"""

BAD = {
    "a list of parameters from before": """
        params = list(net.parameters())
        while True:
            opt = torch.optim.Adam(params)  # expect: TP124:11
            opt.zero_grad()
            F.mse_loss(net(x), y).backward()
            opt.step()
    """,
    "groups": """
        for x, y in data:
            opt = torch.optim.AdamW([{"params": net.parameters(), "lr": 1e-3}])  # expect: TP124:11
            F.mse_loss(net(x), y).backward()
            opt.step()
    """,
    "an object that builds it": """
        class Learner:
            def __init__(self, net):
                self.net = net

            def learn(self, x, y):
                opt = torch.optim.SGD(self.net.parameters(), 0.1, momentum=0.9)  # expect: TP124:15
                opt.zero_grad()
                F.mse_loss(self.net(x), y).backward()
                opt.step()

        learner = Learner(net)
        for x, y in data:
            learner.learn(x, y)
    """,
}

GOOD = {
    "once, if it is not there": """
        opt = None
        for x, y in data:
            if opt is None:
                opt = torch.optim.Adam(net.parameters())
            opt.zero_grad()
            F.mse_loss(net(x), y).backward()
            opt.step()
    """,
    "a model of a list": """
        for model in models:
            opt = torch.optim.Adam(model.parameters())
            F.mse_loss(model(x), y).backward()
            opt.step()
    """,
    "an object made anew": """
        class Learner:
            def __init__(self):
                self.net = nn.Linear(2, 1)
                self.opt = torch.optim.Adam(self.net.parameters())

            def learn(self, x, y):
                self.opt.zero_grad()
                F.mse_loss(self.net(x), y).backward()
                self.opt.step()

        for seed in range(3):
            learner = Learner()
            learner.learn(x, y)
    """,
    "learning rates in turn": """
        for rate in (0.1, 0.01):
            opt = torch.optim.Adam(net.parameters(), lr=rate)
            opt.zero_grad()
            F.mse_loss(net(x), y).backward()
            opt.step()
    """,
    "resumed": """
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for epoch in range(3):
            scheduler = torch.optim.lr_scheduler.StepLR(opt, 1, last_epoch=epoch)
            opt.zero_grad()
            F.mse_loss(net(x), y).backward()
            opt.step()
            scheduler.step()
    """,
    "arguments that cannot be read": """
        for epoch in range(3):
            opt = torch.optim.SGD(net.parameters(), **options)
            opt.zero_grad()
            F.mse_loss(net(x), y).backward()
            opt.step()
    """,
    "weights drawn anew": """
        for trial in range(3):
            net.reset_parameters()
            opt = torch.optim.Adam(net.parameters())
            for x, y in data:
                opt.zero_grad()
                F.mse_loss(net(x), y).backward()
                opt.step()
    """,
}


@pytest.mark.parametrize("source", BAD.values(), ids=BAD)
def test_reported(source: str) -> None:
    text = PRELUDE + textwrap.dedent(source)
    assert check(text, ["TP124"]) == marks(text)


@pytest.mark.parametrize("source", GOOD.values(), ids=GOOD)
def test_silent(source: str) -> None:
    assert check(PRELUDE + textwrap.dedent(source), ["TP124"]) == []


def test_a_factory_in_another_file_and_an_epoch_in_this() -> None:
    sources = {
        "a.py": """
            import torch
            from loops import epoch_of

            def train(model, loader, n_epochs):
                model.train()
                for n in range(n_epochs):
                    optimizer = torch.optim.Adam(model.parameters())
                    epoch_of(model, loader, optimizer)
        """,
        "loops.py": """
            import torch.nn.functional as F

            def epoch_of(model, loader, optimizer):
                for x, y in loader:
                    optimizer.zero_grad()
                    F.mse_loss(model(x), y).backward()
                    optimizer.step()
        """,
    }
    assert check(sources) == [(8, 21, "TP124")]
