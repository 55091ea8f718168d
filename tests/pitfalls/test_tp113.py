"""TP113 clip-out-of-order in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = """\
import torch
from torch import nn, optim
from torch.nn.utils import clip_grad_norm_
net = nn.Linear(2, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
"""

BAD = {
    "after the step": """
        for x in data:
            opt.zero_grad()
            net(x).mean().backward()
            opt.step()
            clip_grad_norm_(net.parameters(), 1.0)  # expect: TP113:5
    """,
    "after the step, cleared last": """
        for x in data:
            loss = net(x).mean()
            loss.backward()
            opt.step()
            if clip:
                torch.nn.utils.clip_grad_value_(net.parameters(), 1.0)  # expect: TP113:9
            opt.zero_grad()
    """,
    "before backward": """
        for x in data:
            opt.zero_grad()
            loss = net(x).mean()
            clip_grad_norm_(net.parameters(), 1.0)  # expect: TP113:5
            loss.backward()
            opt.step()
    """,
    "before backward, cleared last": """
        def train(model, loader, optimizer, criterion):
            for x, y in loader:
                loss = criterion(model(x), y)
                nn.utils.clip_grad_norm_(model.parameters(), max_norm=5)  # expect: TP113:9
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
    """,
    "a method": """
        class Agent:
            def __init__(self, policy):
                self.policy = policy
                self.optimizer = optim.Adam(self.policy.parameters())

            def learn(self, batch):
                loss = self.policy(batch).mean()
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)  # expect: TP113:9
                return loss.item()
    """,
    "a gan": """
        def train(g, d, loader):
            opt_g, opt_d = optim.Adam(g.parameters()), optim.Adam(d.parameters())
            for x in loader:
                opt_d.zero_grad()
                d(x).mean().backward()
                clip_grad_norm_(d.parameters(), 1.0)
                opt_d.step()
                opt_g.zero_grad()
                d(g(x)).mean().backward()
                opt_g.step()
                clip_grad_norm_(g.parameters(), 1.0)  # expect: TP113:9
    """,
    "a scaler": """
        def train(loader, scaler):
            for x in loader:
                opt.zero_grad()
                scaler.scale(net(x).mean()).backward()
                scaler.step(opt)
                scaler.update()
                clip_grad_norm_(net.parameters(), 1.0)  # expect: TP113:9
    """,
    "accumulated": """
        for i, x in enumerate(data):
            (net(x).mean() / 4).backward()
            if (i + 1) % 4 == 0:
                opt.step()
                opt.zero_grad()
                clip_grad_norm_(net.parameters(), 1.0)  # expect: TP113:9
    """,
    "accelerate": """
        from accelerate import Accelerator

        accelerator = Accelerator()
        net, opt, data = accelerator.prepare(net, opt, data)
        for x in data:
            loss = net(x).mean()
            accelerator.clip_grad_norm_(net.parameters(), 1.0)  # expect: TP113:5
            accelerator.backward(loss)
            opt.step()
            opt.zero_grad()
    """,
    "lightning, by hand": """
        import lightning.pytorch as pl

        class Model(pl.LightningModule):
            def training_step(self, batch, i):
                optimizer = self.optimizers()
                optimizer.zero_grad()
                self.manual_backward(self.net(batch).mean())
                optimizer.step()
                self.clip_gradients(optimizer, gradient_clip_val=1.0)  # expect: TP113:9
    """,
    "a helper": """
        def clip(model):
            clip_grad_norm_(model.parameters(), 1.0)  # expect: TP113:5

        def train(loader):
            for x in loader:
                opt.zero_grad()
                net(x).mean().backward()
                opt.step()
                clip(net)
    """,
}

GOOD = {
    "between": """
        for i, x in enumerate(data):
            net(x).mean().backward()
            if i % 2:
                if clip:
                    clip_grad_norm_(net.parameters(), 1.0)
                opt.step()
                opt.zero_grad()
    """,
    "at the top for the pass before": """
        for x in data:
            clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            opt.zero_grad()
            net(x).mean().backward()
    """,
    "for each of two losses": """
        for x in data:
            opt.zero_grad()
            net(x).mean().backward()
            clip_grad_norm_(net.parameters(), 1.0)
            net(-x).mean().backward()
            opt.step()
    """,
    "measured": """
        for x in data:
            opt.zero_grad()
            net(x).mean().backward()
            opt.step()
            print(clip_grad_norm_(net.parameters(), float("inf")))
    """,
    "code that cannot be read": """
        from elsewhere import go

        def train(loader, engine):
            for x in loader:
                opt.zero_grad()
                go(net(x))
                clip_grad_norm_(net.parameters(), 1.0)
                net(x).mean().backward()
                opt.step()
                engine.backward(net(x))
                clip_grad_norm_(net.parameters(), 1.0)
                opt.step()
    """,
    "several optimizers": """
        def train(actor, critic, loader, actor_opt, critic_opt):
            for x in loader:
                critic_opt.zero_grad()
                critic(x).mean().backward()
                clip_grad_norm_(critic.parameters(), 1.0)
                critic_opt.step()
                actor_opt.zero_grad()
                actor(x).mean().backward()
                clip_grad_norm_(actor.parameters(), 1.0)
                actor_opt.step()
    """,
    "helpers": """
        class Trainer:
            def __init__(self, net):
                self.net = net
                self.opt = optim.Adam(net.parameters())

            def backward(self, loss):
                self.opt.zero_grad()
                loss.backward()

            def step(self):
                clip_grad_norm_(self.net.parameters(), 1.0)
                self.opt.step()

            def fit(self, loader):
                for x in loader:
                    self.backward(self.net(x).mean())
                    self.step()
    """,
    "only clips": """
        def clip(model):
            clip_grad_norm_(model.parameters(), 1.0)

        def step(model, optimizer):
            optimizer.step()
            clip_grad_norm_(model.parameters(), 1.0)
    """,
}


@pytest.mark.parametrize("source", BAD.values(), ids=BAD)
def test_reported(source: str) -> None:
    text = PRELUDE + textwrap.dedent(source)
    assert check(text, ["TP113"]) == marks(text)


@pytest.mark.parametrize("source", GOOD.values(), ids=GOOD)
def test_silent(source: str) -> None:
    assert check(PRELUDE + textwrap.dedent(source), ["TP113"]) == []
