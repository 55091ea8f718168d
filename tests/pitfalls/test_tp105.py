"""TP105 retain-graph-in-loop in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = """\
import torch
import torch.nn.functional as F
from torch import nn, optim
net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
opt = optim.SGD(net.parameters(), lr=0.1)
"""

BAD = {
    "a script": """
        for x, y in data:
            opt.zero_grad()
            loss = F.mse_loss(net(x), y)
            loss.backward(retain_graph=True)  # expect: TP105:5
            opt.step()
    """,
    "a full batch": """
        x, y = torch.randn(8, 2), torch.randn(8, 1)
        criterion = nn.MSELoss()
        for epoch in range(100):
            out = net(x)
            loss = criterion(out, y)
            opt.zero_grad()
            loss.backward(retain_graph=True)  # expect: TP105:5
            opt.step()
    """,
    "a state of the module": """
        class Tagger(nn.Module):
            def __init__(self):
                super().__init__()
                self.lstm = nn.LSTM(4, 8)
                self.hidden = (torch.zeros(1, 1, 8), torch.zeros(1, 1, 8))

            def forward(self, x):
                out, self.hidden = self.lstm(x, self.hidden)
                return out

        def train(model, loader):
            optimizer = optim.Adam(model.parameters())
            for x, y in loader:
                optimizer.zero_grad()
                loss = F.mse_loss(model(x), y)
                loss.backward(retain_graph=True)  # expect: TP105:9
                optimizer.step()

        train(Tagger(), data)
    """,
    "a state carried by the loop": """
        rnn = nn.GRU(4, 8)
        optimizer = optim.Adam(rnn.parameters())
        hidden = torch.zeros(1, 1, 8)
        for x, y in data:
            out, hidden = rnn(x, hidden)
            loss = F.mse_loss(out, y)
            optimizer.zero_grad()
            loss.backward(retain_graph=True)  # expect: TP105:5
            optimizer.step()
    """,
    "a method": """
        class Agent:
            def __init__(self):
                self.net = nn.Linear(4, 2)
                self.optimizer = optim.Adam(self.net.parameters())

            def train(self, batches):
                for _ in range(3):
                    for s, a in batches:
                        loss = F.cross_entropy(self.net(s), a)
                        self.optimizer.zero_grad()
                        loss.mean().backward(retain_graph=True)  # expect: TP105:17
                        self.optimizer.step()
    """,
    "detached adversary": """
        def train(g, d, loader):
            opt_g, opt_d = optim.Adam(g.parameters()), optim.Adam(d.parameters())
            for z, real in loader:
                fake = g(z)
                g_loss = -d(fake).mean()
                opt_g.zero_grad()
                g_loss.backward()
                opt_g.step()
                d_loss = d(fake.detach()).mean() - d(real).mean()
                opt_d.zero_grad()
                d_loss.backward(retain_graph=True)  # expect: TP105:9
                opt_d.step()
    """,
}

GOOD = {
    "a second backward": """
        for x, y in data:
            z = net(x)
            opt.zero_grad()
            F.mse_loss(z, y).backward(retain_graph=True)
            z.mean().backward()
            opt.step()
    """,
    "a second gradient": """
        for x, y in data:
            x.requires_grad_()
            loss = F.mse_loss(net(x), y)
            opt.zero_grad()
            loss.backward(retain_graph=True)
            [g] = torch.autograd.grad(loss, x)
            opt.step()
    """,
    "truncated backpropagation": """
        rnn = nn.GRU(4, 8)
        optimizer = optim.Adam(rnn.parameters())
        for window in data:
            hidden = torch.zeros(1, 1, 8)
            optimizer.zero_grad()
            for x, y in window:
                out, hidden = rnn(x, hidden)
                F.mse_loss(out, y).backward(retain_graph=True)
            optimizer.step()
    """,
    "a graph from before the loop": """
        encoder = nn.Linear(2, 2)
        style = encoder(torch.randn(1, 2))
        for x, y in data:
            loss = F.mse_loss(net(x), style)
            opt.zero_grad()
            loss.backward(retain_graph=True)
            opt.step()
    """,
    "a caller's tensor": """
        def fit(features, target):
            for _ in range(10):
                loss = F.mse_loss(net(features), target)
                opt.zero_grad()
                loss.backward(retain_graph=True)
                opt.step()
    """,
    "a column at a time": """
        x = torch.randn(4, 2, requires_grad=True)
        out = net(x)
        for i in range(4):
            out[i].backward(retain_graph=True)
    """,
    "by flag, or for a second derivative": """
        def train(loader, keep):
            for x, y in loader:
                opt.zero_grad()
                F.mse_loss(net(x), y).backward(retain_graph=keep)
                F.mse_loss(net(x), y).backward(retain_graph=True, create_graph=True)
                opt.step()
    """,
    "code that cannot be read": """
        from elsewhere import update_critic

        for x, y in data:
            loss = F.mse_loss(net(x), y)
            opt.zero_grad()
            loss.backward(retain_graph=True)
            opt.step()
            update_critic(loss)
    """,
}


@pytest.mark.parametrize("source", BAD.values(), ids=BAD)
def test_reported(source: str) -> None:
    text = PRELUDE + textwrap.dedent(source)
    assert check(text, ["TP105"]) == marks(text)


@pytest.mark.parametrize("source", GOOD.values(), ids=GOOD)
def test_silent(source: str) -> None:
    assert check(PRELUDE + textwrap.dedent(source), ["TP105"]) == []
