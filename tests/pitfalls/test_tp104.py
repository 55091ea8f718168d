"""TP104 backward-twice in the shapes that programs give it."""
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
"""

BAD = {
    "straight": """
        loss = net(torch.randn(3, 2)).mean()
        loss.backward()
        loss.backward()  # expect: TP104:1
    """,
    "a loss from before the loop": """
        out = net(torch.randn(3, 2))
        loss = F.mse_loss(out, torch.zeros(3, 1))
        for epoch in range(10):
            opt.zero_grad()
            loss.backward()  # expect: TP104:5
            opt.step()
    """,
    "a shared encoder": """
        criterion = nn.MSELoss()
        for x, y in data:
            z = net(x)
            opt.zero_grad()
            criterion(z, y).backward()
            aux = head(z).mean()
            aux.backward()  # expect: TP104:5
            opt.step()
    """,
    "a generator": """
        def train(g: nn.Module, d: nn.Module, loader):
            criterion = nn.BCEWithLogitsLoss()
            opt_g, opt_d = optim.Adam(g.parameters()), optim.Adam(d.parameters())
            for z, real in loader:
                d.zero_grad()
                criterion(d(real), torch.ones(4, 1)).backward()
                fake = g(z)
                output = d(fake)
                criterion(output, torch.zeros(4, 1)).backward()
                opt_d.step()
                g.zero_grad()
                g_loss = criterion(d(fake), torch.ones(4, 1))
                g_loss.backward()  # expect: TP104:9
                opt_g.step()
    """,
    "networks known by what __init__ does with them": """
        class Trainer:
            def __init__(self, g, d):
                self.g = g
                self.d = d
                self.opt_g = optim.Adam(g.parameters())
                self.opt_d = optim.Adam(d.parameters())

            def step(self, z, real):
                fake = self.g(z)
                d_loss = F.softplus(self.d(fake)).mean() + F.softplus(-self.d(real)).mean()
                self.opt_d.zero_grad()
                d_loss.backward()
                self.opt_d.step()
                g_loss = F.softplus(-self.d(fake)).mean()
                self.opt_g.zero_grad()
                g_loss.backward()  # expect: TP104:9
                self.opt_g.step()
    """,
    "a state": """
        rnn = nn.LSTM(4, 8)
        h, c = torch.zeros(1, 1, 8), torch.zeros(1, 1, 8)
        for x, y in data:
            out, (h, c) = rnn(x, (h, c))
            loss = F.mse_loss(out, y)
            loss.backward()  # expect: TP104:5
            opt.step()
    """,
    "a cell": """
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.cell = nn.GRUCell(2, 3)
                self.head = nn.Linear(3, 1)

            def forward(self, x, hidden):
                hidden = self.cell(x, hidden)
                return self.head(hidden), hidden

        def train(loader):
            model = Model()
            hidden = torch.zeros(1, 3)
            for x, y in loader:
                output, hidden = model(x, hidden)
                F.mse_loss(output, y).backward()  # expect: TP104:9
    """,
    "a state kept by the module": """
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.rnn = nn.LSTM(2, 3)
                self.hidden = (torch.zeros(1, 1, 3), torch.zeros(1, 1, 3))

            def forward(self, x):
                out, self.hidden = self.rnn(x, self.hidden)
                return out

        def train(model, loader):
            for x, y in loader:
                loss = F.mse_loss(model(x), y)
                loss.backward()  # expect: TP104:9

        train(Model(), data)
    """,
    "a sum over all passes": """
        total = 0
        for x, y in data:
            opt.zero_grad()
            total += F.mse_loss(net(x), y)
            total.backward()  # expect: TP104:5
            opt.step()
    """,
    "parts of one output": """
        class Twins(nn.Module):
            def __init__(self):
                super().__init__()
                self.body = nn.Linear(2, 2)

            def forward(self, x):
                z = self.body(x)
                return z[0], z[1]

        twins = Twins()
        for x, y in data:
            a, b = twins(x)
            F.mse_loss(a, y).backward()
            (2 * a).sum().backward()  # expect: TP104:5
    """,
}

GOOD = {
    "a state that is renewed by a method": """
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.rnn = nn.LSTM(2, 3)
                self.reset()

            def reset(self):
                self.hidden = (torch.zeros(1, 1, 3), torch.zeros(1, 1, 3))

            def forward(self, x):
                out, self.hidden = self.rnn(x, self.hidden)
                return out

        model = Model()
        for x, y in data:
            model.reset()
            F.mse_loss(model(x), y).backward()
    """,
    "a sum that starts anew": """
        total = 0
        for i, (x, y) in enumerate(data):
            total = total + F.mse_loss(net(x), y)
            if i % 4 == 3:
                total.backward()
                total = 0
        for window in data:
            total = 0
            for x, y in window:
                total += F.mse_loss(net(x), y)
            total.backward()
        for window in data:
            total = 0
            for x, y in window:
                total += F.mse_loss(net(x), y)
                if x is None:
                    total.backward()
                    break
    """,
    "two networks in one module": """
        class Twins(nn.Module):
            def __init__(self):
                super().__init__()
                self.left, self.right = nn.Linear(2, 2), nn.Linear(2, 2)

            def forward(self, x):
                return self.left(x), self.right(x)

        twins = Twins()
        for x, y in data:
            a, b = twins(x)
            F.mse_loss(a, y).backward()
            F.mse_loss(b, y).backward()
    """,
    "a fresh forward": """
        for x, y in data:
            F.mse_loss(net(x), y).backward()
            F.mse_loss(net(x), y).backward()
    """,
    "computed anew at the end of the loop": """
        loss = net(x).mean()
        for epoch in range(10):
            loss.backward()
            opt.step()
            loss = net(x).mean()
    """,
    "retained": """
        for x, y in data:
            z = net(x)
            F.mse_loss(z, y).backward(retain_graph=True)
            z.mean().backward()
    """,
    "detached": """
        def train(g: nn.Module, d: nn.Module, loader):
            for z, real in loader:
                fake = g(z)
                d(fake.detach()).mean().backward()
                d(fake).mean().backward()
    """,
    "joined by a shape only": """
        out = net(torch.randn(3, 2))
        target = torch.rand_like(out)
        out.mean().backward()
        F.mse_loss(head(torch.randn(3, 1)), target).backward()
        wrong = torch.ne(out.argmax(1), 0)
        (head(torch.randn(3, 1)) * wrong).sum().backward()
    """,
    "a pool that may detach": """
        def train(g: nn.Module, d: nn.Module, loader, pool):
            for z, real in loader:
                fake = g(z)
                d(fake).mean().backward()
                old = pool.query(fake)
                d(old).mean().backward()
    """,
    "without a graph": """
        for x, y in data:
            with torch.no_grad():
                z = net(x)
            head(z).mean().backward()
            (2 * head(z)).mean().backward()
    """,
    "either, or": """
        for i, (x, y) in enumerate(data):
            z = net(x)
            if i % 2 == 0:
                z.mean().backward()
            elif i % 3 == 0:
                z.sum().backward()
            if i == 5:
                break
    """,
    "a state that is detached": """
        rnn = nn.GRU(4, 8)
        h = torch.zeros(1, 1, 8)
        for x, y in data:
            out, h = rnn(x, h.detach())
            F.mse_loss(out, y).backward()
        for i, (x, y) in enumerate(data):
            out, h = rnn(x, h)
            F.mse_loss(out, y).backward()
            h = h.detach()
    """,
    "truncated backpropagation": """
        rnn = nn.GRU(4, 8)
        for window in data:
            h = torch.zeros(1, 1, 8)
            loss = 0
            for x, y in window:
                out, h = rnn(x, h)
                loss = loss + F.mse_loss(out, y)
            loss.backward()
    """,
    "frozen": """
        for p in net.parameters():
            p.requires_grad = False
        z = net(x)
        head(z).mean().backward()
        head(z).sum().backward()
    """,
    "a helper for each batch": """
        def step(x):
            loss = net(x).mean()
            loss.backward()

        for x in data:
            step(x)
            step(-x)
    """,
}


@pytest.mark.parametrize("source", BAD.values(), ids=BAD)
def test_reported(source: str) -> None:
    text = PRELUDE + textwrap.dedent(source)
    assert check(text, ["TP104"]) == marks(text)


@pytest.mark.parametrize("source", GOOD.values(), ids=GOOD)
def test_silent(source: str) -> None:
    assert check(PRELUDE + textwrap.dedent(source), ["TP104"]) == []
