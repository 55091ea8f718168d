"""TP125 step-between-backwards in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = """\
import torch
import torch.nn.functional as F
from torch import nn, optim
net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
head = nn.Linear(1, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
opt_head = optim.SGD(head.parameters(), lr=0.1)
x, y = torch.randn(3, 2), torch.randn(3, 1)
"""

BAD = {
    "two heads over one network": """
        z = net(x)
        one, two = F.mse_loss(z, y), head(z).mean()
        opt.zero_grad()
        one.backward(retain_graph=True)
        opt.step()
        two.backward()  # expect: TP125:1
    """,
    "a layer whose input has a graph": """
        z = net(x)
        one, two = head(z.detach()).mean(), head(z).mean()
        one.backward()
        opt_head.step()
        opt.zero_grad()
        two.backward()  # expect: TP125:1
        opt.step()
    """,
    "a scaler": """
        scaler = torch.amp.GradScaler()
        z = net(x)
        one, two = F.mse_loss(z, y), z.abs().mean()
        opt.zero_grad()
        scaler.scale(one).backward(retain_graph=True)
        scaler.step(opt)
        scaler.scale(two).backward()  # expect: TP125:1
        scaler.step(opt)
        scaler.update()
    """,
    "a network of an unknown class": """
        def learn(critic: nn.Module, states, actor: nn.Module, targets):
            critic_optimizer = optim.Adam(critic.parameters())
            actor_optimizer = optim.Adam(actor.parameters())
            value = critic(actor(states))
            critic_loss = F.mse_loss(critic(states), targets)
            critic_optimizer.zero_grad()
            critic_loss.backward()
            critic_optimizer.step()
            actor_optimizer.zero_grad()
            value.mean().backward()  # expect: TP125:5
            actor_optimizer.step()
    """,
    "a recurrent layer": """
        rnn = nn.GRU(2, 3)
        opt_rnn = optim.Adam(rnn.parameters())
        out, hidden = rnn(x)
        opt_rnn.zero_grad()
        out.mean().backward(retain_graph=True)
        opt_rnn.step()
        out.abs().mean().backward()  # expect: TP125:1
    """,
}

GOOD = {
    "another module's step": """
        z = net(x)
        one, two = F.mse_loss(z, y), z.abs().mean()
        one.backward(retain_graph=True)
        opt_head.step()
        two.backward()
        opt.step()
    """,
    "a step in the other branch": """
        for first in (True, False):
            z = net(x)
            opt.zero_grad()
            if first:
                F.mse_loss(z, y).backward()
                opt.step()
            else:
                F.l1_loss(z, y).backward()
                opt.step()
    """,
    "an optimizer over other parameters than it seems": """
        def learn(critic: nn.Module, states, targets, make):
            optimizer = make(critic)
            values = critic(states)
            optimizer.zero_grad()
            F.mse_loss(values, targets).backward(retain_graph=True)
            optimizer.step()
            values.mean().backward()
    """,
    "a step at the top of the next pass": """
        for _ in range(3):
            z = net(x)
            opt.zero_grad()
            F.mse_loss(z, y).backward()
            opt.step()
    """,
    "an embedding saves no weight": """
        table = nn.Embedding(4, 2)
        opt_table = optim.SGD(table.parameters(), lr=0.1)
        rows = table(torch.tensor([0, 1]))
        opt_table.zero_grad()
        rows.mean().backward(retain_graph=True)
        opt_table.step()
        rows.abs().mean().backward()
    """,
}


@pytest.mark.parametrize("body", BAD.values(), ids=BAD)
def test_reported(body: str) -> None:
    text = PRELUDE + textwrap.dedent(body)
    assert check(text) == marks(text)


@pytest.mark.parametrize("body", GOOD.values(), ids=GOOD)
def test_silent(body: str) -> None:
    assert check(PRELUDE + textwrap.dedent(body)) == []


def test_networks_and_helper_in_other_files() -> None:
    files = {
        "train.py": """
            from torch import nn, optim
            from nets import Critic, Actor
            from steps import descend

            def train(states, targets):
                actor, critic = Actor(), Critic()
                actor_optimizer = optim.Adam(actor.parameters())
                critic_optimizer = optim.Adam(critic.parameters())
                actor_loss = -critic(actor(states)).mean()
                critic_loss = (critic(states) - targets).pow(2).mean()
                descend(critic_optimizer, critic_loss)
                actor_optimizer.zero_grad()
                actor_loss.backward()
                actor_optimizer.step()
        """,
        "nets.py": """
            from torch import nn

            class Critic(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.layers = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1))

                def forward(self, x):
                    return self.layers(x)

            class Actor(Critic):
                pass
        """,
        "steps.py": """
            def descend(optimizer, loss):
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        """,
    }
    assert check(files) == [(14, 5, "TP125")]
