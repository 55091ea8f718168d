"""TP102 zero-grad-between-backward-and-step in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nfrom torch import optim\n"

BAD = {
    "parameters are looked at in between": """
        def train(policy, loader):
            opt = optim.Adam(policy.parameters())
            for x in loader:
                policy(x).mean().backward()
                opt.zero_grad()  # expect: TP102:9
                nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
                opt.step()
    """,
    "a loop": """
        net = nn.Linear(2, 1)
        opt = optim.SGD(net.parameters(), lr=0.1)
        for x, y in data:
            loss = F.mse_loss(net(x), y)
            loss.backward()
            opt.zero_grad()  # expect: TP102:5
            opt.step()
    """,
    "through the module": """
        class Trainer:
            def __init__(self, model):
                self.model = model
                self.optimizer = optim.Adam(self.model.parameters())

            def fit(self, data):
                for x in data:
                    self.model(x).mean().backward()
                    nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                    self.model.zero_grad()  # expect: TP102:13
                    self.optimizer.step()
    """,
    "a method called once": """
        class Agent:
            def __init__(self):
                self.net = nn.Linear(2, 1)
                self.opt = optim.Adam(self.net.parameters())

            def learn(self, batch):
                loss = self.net(batch).mean()
                loss.backward()
                self.opt.zero_grad()  # expect: TP102:9
                self.opt.step()
    """,
    "accumulated": """
        def train(net, loader, k=4):
            opt = optim.Adam(net.parameters())
            for i, x in enumerate(loader):
                net(x).mean().backward()
                if (i + 1) % k == 0:
                    opt.zero_grad()  # expect: TP102:13
                    opt.step()
    """,
    "micro-batches": """
        def train(net, loader):
            opt = optim.Adam(net.parameters())
            for batch in loader:
                for x in batch.chunk(4):
                    net(x).mean().backward()
                opt.zero_grad()  # expect: TP102:9
                opt.step()
    """,
    "a helper": """
        def reset(opt):
            opt.zero_grad()  # expect: TP102:5

        def train(net, loader):
            opt = optim.Adam(net.parameters())
            for x in loader:
                net(x).mean().backward()
                reset(opt)
                opt.step()
    """,
    "scaler": """
        def train(net, loader, optimizer):
            scaler = torch.amp.GradScaler("cuda")
            for x in loader:
                scaler.scale(net(x).mean()).backward()
                optimizer.zero_grad(set_to_none=True)  # expect: TP102:9
                scaler.step(optimizer)
                scaler.update()
    """,
    "every batch clears, each fourth steps": """
        def train(net, loader, k=4):
            opt = optim.Adam(net.parameters())
            for i, x in enumerate(loader):
                opt.zero_grad()  # expect: TP102:9
                loss = net(x).mean() / k
                loss.backward()
                if (i + 1) % k == 0 or i + 1 == len(loader):
                    opt.step()
    """,
    "an alias": """
        class Trainer:
            def fit(self, data):
                opt = self.optimizer
                for x in data:
                    self.net(x).mean().backward()
                    opt.zero_grad()  # expect: TP102:13
                    self.optimizer.step()
    """,
}

GOOD = {
    "put back by a helper": """
        def put(net, grads):
            for p, g in zip(net.parameters(), grads):
                p.grad = g

        def train(net, opt, loader):
            for x in loader:
                net(x).mean().backward()
                saved = [p.grad for p in net.parameters()]
                opt.zero_grad()
                put(net, saved)
                opt.step()
    """,
    "put back with setattr": """
        def train(net, opt, loader):
            for x in loader:
                net(x).mean().backward()
                saved = {name: p.grad for name, p in net.named_parameters()}
                opt.zero_grad()
                for name, p in net.named_parameters():
                    setattr(p, "grad", saved[name])
                opt.step()
    """,
    "copied back": """
        def train(net, opt, loader):
            for x in loader:
                net(x).mean().backward()
                saved = [p.grad.clone() for p in net.parameters()]
                opt.zero_grad(set_to_none=False)
                for p, g in zip(net.parameters(), saved):
                    p.grad.copy_(g)
                opt.step()
    """,
    "added back at once": """
        def train(net, opt, loader):
            for x in loader:
                net(x).mean().backward()
                saved = [p.grad.clone() for p in net.parameters()]
                opt.zero_grad(set_to_none=False)
                torch._foreach_add_([p.grad for p in net.parameters()], saved)
                opt.step()
    """,
    "gan": """
        def train(netG, netD, loader):
            optG = optim.Adam(netG.parameters())
            optD = optim.Adam(netD.parameters())
            for real in loader:
                optG.zero_grad()
                netD(netG(real)).mean().backward()
                optD.zero_grad()
                optG.step()
                netD(real).mean().backward()
                optD.step()
    """,
    "another module": """
        def train(loader):
            netG, netD = nn.Linear(2, 2), nn.Linear(2, 1)
            optG = optim.Adam(netG.parameters())
            for real in loader:
                optG.zero_grad()
                netD(netG(real)).mean().backward()
                netD.zero_grad()
                optG.step()
    """,
    "critic steps": """
        def train(netG, netD, loader, n=5):
            optG = optim.Adam(netG.parameters())
            optD = optim.Adam(netD.parameters())
            for i, real in enumerate(loader):
                optG.zero_grad()
                optD.zero_grad()
                netD(real).mean().backward()
                optD.step()
                if i % n == 0:
                    netD(netG(real)).mean().backward()
                    optG.step()
    """,
    "accumulated": """
        def train(net, loader, k=4):
            opt = optim.Adam(net.parameters())
            opt.zero_grad()
            for i, x in enumerate(loader):
                net(x).mean().backward()
                if (i + 1) % k == 0:
                    opt.step()
                    opt.zero_grad()
    """,
    "a guard": """
        def train(net, opt, loader):
            for x in loader:
                opt.zero_grad()
                loss = net(x).mean()
                loss.backward()
                if not torch.isfinite(loss):
                    opt.zero_grad()
                opt.step()
    """,
    "a guard that goes on": """
        def train(net, opt, loader):
            for x in loader:
                opt.zero_grad()
                loss = net(x).mean()
                loss.backward()
                if not torch.isfinite(loss):
                    opt.zero_grad()
                    continue
                opt.step()
    """,
    "probe, then train": """
        def train(net, opt, loader):
            for x in loader:
                net(x).mean().backward()
                norm = sum(p.grad.norm() for p in net.parameters())
                opt.zero_grad()
                net(x).sum().backward()
                opt.step()
    """,
    "backward in code that cannot be read": """
        from somewhere import go_backward

        def train(net, opt, loader):
            for x in loader:
                warm = net(x).mean()
                warm.backward()
                opt.zero_grad()
                go_backward(net(x).mean(), net)
                opt.step()
    """,
    "input gradients": """
        def train(net, opt, loader):
            for x in loader:
                x.requires_grad_(True)
                opt.zero_grad()
                net(x).mean().backward()
                x.grad.zero_()
                opt.step()
    """,
    "after the step": """
        def train(net, opt, loader):
            for x in loader:
                net(x).mean().backward()
                opt.step()
                opt.zero_grad()
    """,
    "step at the top": """
        def train(net, opt, loader):
            for i, x in enumerate(loader):
                if i > 0:
                    opt.step()
                opt.zero_grad()
                net(x).mean().backward()
    """,
    "a closure": """
        def solve(net, x):
            opt = optim.LBFGS(net.parameters())
            for _ in range(3):
                def closure():
                    opt.zero_grad()
                    loss = net(x).mean()
                    loss.backward()
                    return loss
                opt.step(closure)
    """,
    "saved and put back": """
        def train(net, opt, loader):
            for x in loader:
                net(x).mean().backward()
                saved = [p.grad.clone() for p in net.parameters()]
                opt.zero_grad()
                for p, g in zip(net.parameters(), saved):
                    p.grad = g
                opt.step()
    """,
}


@pytest.mark.parametrize("name", BAD)
def test_reported(name: str) -> None:
    text = PRELUDE + textwrap.dedent(BAD[name])
    assert check(text, ["TP102"]) == marks(text) != []


@pytest.mark.parametrize("name", GOOD)
def test_silent(name: str) -> None:
    assert check(PRELUDE + textwrap.dedent(GOOD[name]), ["TP102"]) == []
