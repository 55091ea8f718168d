"""TP111 step-before-backward in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nfrom torch import optim\n"

BAD = {
    "a loop": """
        def train(net, loader, optimizer, criterion):
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(net(x), y)
                optimizer.step()  # expect: TP111:9
                loss.backward()
    """,
    "a method": """
        class Agent:
            def __init__(self, net):
                self.net = net
                self.optimizer = optim.Adam(net.parameters())

            def learn(self, batch):
                self.optimizer.zero_grad()
                loss = self.net(batch).mean()
                self.optimizer.step()  # expect: TP111:9
                loss.backward()
    """,
    "through the module": """
        def train(loader):
            net = nn.Linear(2, 1)
            opt = optim.SGD(net.parameters(), lr=0.1)
            for x in loader:
                net.zero_grad()
                loss = net(x).mean()
                opt.step()  # expect: TP111:9
                loss.backward()
    """,
    "cleared at the end": """
        def train(loader):
            net = nn.Linear(2, 1)
            opt = optim.SGD(net.parameters(), lr=0.1)
            for x in loader:
                loss = net(x).mean()
                opt.step()  # expect: TP111:9
                loss.backward()
                opt.zero_grad()
    """,
    "scaler": """
        def train(net, loader):
            opt = optim.SGD(net.parameters(), lr=0.1)
            scaler = torch.amp.GradScaler("cuda")
            for x in loader:
                opt.zero_grad()
                loss = net(x).mean()
                scaler.step(opt)  # expect: TP111:9
                scaler.scale(loss).backward()
                scaler.update()
    """,
}

GOOD = {
    "in order": """
        def train(net, loader, opt):
            for x in loader:
                opt.zero_grad()
                loss = net(x).mean()
                loss.backward()
                opt.step()
    """,
    "step at the top for the iteration before": """
        def train(net, loader):
            opt = optim.SGD(net.parameters(), lr=0.1)
            for x in loader:
                loss = net(x).mean()
                opt.step()
                opt.zero_grad()
                loss.backward()
    """,
    "backward in code that cannot be read": """
        from somewhere import amp

        def train(net, loader):
            opt = optim.SGD(net.parameters(), lr=0.1)
            for x in loader:
                opt.zero_grad()
                loss = net(x).mean()
                amp.backward(loss)
                opt.step()
                loss.backward()
    """,
    "gan": """
        def train(netG, netD, loader):
            optG = optim.Adam(netG.parameters())
            optD = optim.Adam(netD.parameters())
            for real in loader:
                optD.zero_grad()
                loss_d = netD(real).mean()
                loss_d.backward()
                optD.step()
                optG.zero_grad()
                loss_g = netD(netG(real)).mean()
                loss_g.backward()
                optG.step()
    """,
    "two losses": """
        def train(net, loader, opt):
            for x in loader:
                opt.zero_grad()
                one, two = net(x).mean(), net(x).sum()
                one.backward(retain_graph=True)
                opt.step()
                two.backward()
    """,
}


@pytest.mark.parametrize("name", BAD)
def test_reported(name: str) -> None:
    text = PRELUDE + textwrap.dedent(BAD[name])
    assert check(text, ["TP111"]) == marks(text) != []


@pytest.mark.parametrize("name", GOOD)
def test_silent(name: str) -> None:
    assert check(PRELUDE + textwrap.dedent(GOOD[name]), ["TP111"]) == []
