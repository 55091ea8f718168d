"""TP116 grad-scaler-protocol in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = """\
import torch
from torch import nn, optim
net = nn.Linear(2, 1)
optimizer = optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda")
"""

BAD = {
    "a plain step": """
        for x in data:
            optimizer.zero_grad()
            scaler.scale(net(x).mean()).backward()
            optimizer.step()  # expect: TP116:5
            scaler.update()
    """,
    "a plain step after clipping, accumulated": """
        for i, x in enumerate(data):
            loss = scaler.scale(net(x).mean())
            loss.backward()
            if i % 4 == 3:
                nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                optimizer.step()  # expect: TP116:9
                optimizer.zero_grad()
    """,
    "no update": """
        def train(model, loader, opt, scaler):
            for x in loader:
                opt.zero_grad()
                scaler.scale(model(x).mean()).backward()
                scaler.unscale_(opt)
                scaler.step(opt)  # expect: TP116:9
    """,
    "no update in one of two functions": """
        def one(model, opt, loader, grad_scaler=None):
            for x in loader:
                opt.zero_grad()
                if grad_scaler is not None:
                    grad_scaler.scale(model(x).mean()).backward()
                    grad_scaler.step(opt)  # expect: TP116:13
                else:
                    model(x).mean().backward()
                    opt.step()

        def other(model, opt, loader, grad_scaler):
            for x in loader:
                opt.zero_grad()
                grad_scaler.scale(model(x).mean()).backward()
                grad_scaler.step(opt)
                grad_scaler.update()
    """,
    "no update in a class": """
        class Trainer:
            def __init__(self, net):
                self.net = net
                self.optimizer = optim.Adam(net.parameters())
                self.scaler = torch.amp.GradScaler("cuda")

            def train_step(self, x):
                self.optimizer.zero_grad()
                self.scaler.scale(self.net(x).mean()).backward()
                self.scaler.step(self.optimizer)  # expect: TP116:9
    """,
    "of two scalers one is updated": """
        scaler_d = torch.amp.GradScaler("cuda")
        for x in data:
            scaler.scale(net(x).mean()).backward()
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            scaler_d.scale(net(x).mean()).backward()
            scaler_d.step(optimizer)  # expect: TP116:5
            optimizer.zero_grad()
    """,
    "updated once per epoch": """
        for epoch in range(10):
            for x in data:
                optimizer.zero_grad()
                scaler.scale(net(x).mean()).backward()
                scaler.step(optimizer)  # expect: TP116:9
            scaler.update()
    """,
    "not scaled": """
        for x in data:
            optimizer.zero_grad()
            loss = net(x).mean()
            loss.backward()  # expect: TP116:5
            scaler.step(optimizer)
            scaler.update()
    """,
    "scaled for nothing": """
        for x in data:
            optimizer.zero_grad()
            loss = net(x).mean()
            scaler.scale(loss)  # expect: TP116:5
            loss.backward()
            scaler.step(optimizer)
            scaler.update()
    """,
    "updated first": """
        for x in data:
            optimizer.zero_grad()
            scaler.scale(net(x).mean()).backward()
            scaler.update()  # expect: TP116:5
            scaler.step(optimizer)
    """,
}

GOOD = {
    "in order": """
        for x in data:
            optimizer.zero_grad()
            scaler.scale(net(x).mean()).backward()
            scaler.unscale_(optimizer)
            scaler.step(optimizer)
            scaler.update()
    """,
    "two optimizers, one update": """
        def train(g, d, loader):
            opt_g, opt_d = optim.Adam(g.parameters()), optim.Adam(d.parameters())
            for x in loader:
                scaler.scale(d(x).mean()).backward()
                scaler.step(opt_d)
                opt_d.zero_grad()
                scaler.scale(g(x).mean()).backward()
                scaler.step(opt_g)
                opt_g.zero_grad()
                scaler.update()
    """,
    "a loop over optimizers, one update": """
        def step(optimizers, losses):
            for loss in losses:
                scaler.scale(loss).backward()
            for opt in optimizers:
                scaler.step(opt)
            scaler.update()
    """,
    "a loop over losses and optimizers, one update": """
        def train(loader, losses, optimizers):
            for x in loader:
                for loss_function, opt in zip(losses, optimizers):
                    opt.zero_grad()
                    scaler.scale(loss_function(x)).backward()
                    scaler.step(opt)
                scaler.update()
    """,
    "two branches": """
        def train(model, loader, opt, amp, scaler=None):
            for x in loader:
                loss = model(x).mean()
                if scaler is not None:
                    scaler.scale(loss).backward()
                else:
                    loss.backward()
                if amp:
                    scaler.step(opt)
                    scaler.update()
                else:
                    opt.step()
                opt.zero_grad()
    """,
    "unscaled by hand": """
        for x in data:
            scaler.scale(net(x).mean()).backward()
            scaler.unscale_(optimizer)
            optimizer.step()
            scaler.update()
            optimizer.zero_grad()
    """,
    "the caller updates": """
        def step(loss, opt, grad_scaler: torch.amp.GradScaler):
            grad_scaler.scale(loss).backward()
            grad_scaler.step(opt)

        class Engine:
            def __init__(self, opt):
                self.opt = opt
                self.scaler = torch.amp.GradScaler("cuda")

            def step(self, loss):
                self.scaler.scale(loss).backward()
                self.scaler.step(self.opt)

            def finish(self):
                self.scaler.update()
    """,
    "handed on": """
        from elsewhere import finish

        for x in data:
            scaler.scale(net(x).mean()).backward()
            scaler.step(optimizer)
            finish(scaler)
            optimizer.zero_grad()
    """,
    "off": """
        off = torch.amp.GradScaler("cuda", enabled=False)
        for x in data:
            off.scale(net(x).mean()).backward()
            optimizer.step()
            optimizer.zero_grad()
    """,
    "scaled in a helper": """
        def scaled(x):
            return scaler.scale(net(x).mean())

        for x in data:
            loss = scaled(x)
            loss.backward()
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
    """,
    "another scaler": """
        from sklearn.preprocessing import StandardScaler

        standard = StandardScaler()
        for x in data:
            standard.scale(x)
            net(x).mean().backward()
            optimizer.step()
            optimizer.zero_grad()
    """,
}


@pytest.mark.parametrize("source", BAD.values(), ids=BAD)
def test_reported(source: str) -> None:
    text = PRELUDE + textwrap.dedent(source)
    assert check(text, ["TP116"]) == marks(text)


@pytest.mark.parametrize("source", GOOD.values(), ids=GOOD)
def test_silent(source: str) -> None:
    assert check(PRELUDE + textwrap.dedent(source), ["TP116"]) == []
