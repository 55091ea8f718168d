"""TP101 missing-zero-grad in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nfrom torch import optim\n"

BAD = {
    "the clearing is not called": """
        net = nn.Linear(2, 1)
        opt = optim.SGD(net.parameters(), lr=0.1)
        for x, y in data:
            opt.zero_grad
            F.mse_loss(net(x), y).backward()  # expect: TP101:5
            opt.step()
    """,
    "a script": """
        net = nn.Linear(2, 1)
        opt = optim.SGD(net.parameters(), lr=0.1)
        for x, y in data:
            loss = F.mse_loss(net(x), y)
            loss.backward()  # expect: TP101:5
            opt.step()
    """,
    "once per epoch": """
        def fit(net, loader, epochs):
            opt = optim.Adam(net.parameters())
            for epoch in range(epochs):
                opt.zero_grad()
                for x, y in loader:
                    loss = F.mse_loss(net(x), y)
                    loss.backward()  # expect: TP101:13
                    opt.step()
    """,
    "before the loops": """
        def fit(net, loader, epochs):
            opt = optim.Adam(net.parameters())
            opt.zero_grad()
            for epoch in range(epochs):
                for x, y in loader:
                    F.mse_loss(net(x), y).backward()  # expect: TP101:13
                    opt.step()
    """,
    "unknown optimizer by use": """
        def train(model, loader, optimizer, criterion):
            model.train()
            for x, y in loader:
                loss = criterion(model(x), y)
                loss.backward()  # expect: TP101:9
                optimizer.step()
    """,
    "the loop is elsewhere": """
        class Agent:
            def __init__(self):
                self.net = nn.Linear(2, 1)
                self.opt = optim.Adam(self.net.parameters())

            def learn(self, batch):
                loss = self.net(batch).mean()
                loss.backward()  # expect: TP101:9
                self.opt.step()
    """,
    "helpers": """
        class Trainer:
            def __init__(self, model):
                self.model = model
                self.optimizer = torch.optim.AdamW(model.parameters())

            def compute(self, batch):
                return self.model(batch).mean()

            def update(self, loss):
                loss.backward()  # expect: TP101:9
                self.optimizer.step()

            def run_epoch(self, loader):
                for batch in loader:
                    self.update(self.compute(batch))

            def fit(self, loader, epochs):
                for _ in range(epochs):
                    self.run_epoch(loader)
    """,
    "gan, one of two": """
        def train(netG, netD, loader):
            optG = optim.Adam(netG.parameters())
            optD = optim.Adam(netD.parameters())
            for real in loader:
                optD.zero_grad()
                errD = netD(real).mean()
                errD.backward()
                optD.step()
                errG = netD(netG(real)).mean()
                errG.backward()  # expect: TP101:9
                optG.step()
    """,
    "gan, one of two modules": """
        def train(loader):
            netG, netD = nn.Linear(2, 2), nn.Linear(2, 1)
            optG = optim.Adam(netG.parameters())
            optD = optim.Adam(netD.parameters())
            for real in loader:
                netD.zero_grad()
                errD = netD(real).mean()
                errD.backward()
                optD.step()
                errG = netD(netG(real)).mean()
                errG.backward()  # expect: TP101:9
                optG.step()
    """,
    "gan, one of two attributes": """
        class GAN:
            def __init__(self, g, d, opt_g, opt_d):
                self.g, self.d = g, d
                self.opt_g = opt_g
                self.opt_d = opt_d

            def fit(self, loader):
                for real in loader:
                    self.opt_d.zero_grad()
                    loss_d = self.d(real).mean()
                    loss_d.backward()
                    self.opt_d.step()
                    loss_g = self.d(self.g(real)).mean()
                    loss_g.backward()  # expect: TP101:13
                    self.opt_g.step()
    """,
    "scaler": """
        def train(net, loader):
            opt = optim.Adam(net.parameters())
            scaler = torch.amp.GradScaler("cuda")
            for x, y in loader:
                with torch.autocast("cuda"):
                    loss = F.mse_loss(net(x), y)
                scaler.scale(loss).backward()  # expect: TP101:9
                scaler.step(opt)
                scaler.update()
    """,
    "one branch of two": """
        def train(net, loader, amp):
            opt = optim.Adam(net.parameters())
            scaler = torch.amp.GradScaler("cuda")
            for x, y in loader:
                loss = F.mse_loss(net(x), y)
                if amp:
                    scaler.scale(loss).backward()
                    scaler.step(opt)
                    scaler.update()
                    opt.zero_grad()
                else:
                    loss.backward()  # expect: TP101:13
                    opt.step()
    """,
    "cleared in some passes": """
        def train(net, loader):
            opt = optim.Adam(net.parameters())
            for i, (x, y) in enumerate(loader):
                if i % 4 == 0:
                    opt.zero_grad()
                loss = F.mse_loss(net(x), y)
                loss.backward()  # expect: TP101:9
                opt.step()
    """,
    "accumulation that never clears": """
        def train(net, loader, k=4):
            opt = optim.Adam(net.parameters())
            for i, (x, y) in enumerate(loader):
                loss = F.mse_loss(net(x), y) / k
                loss.backward()  # expect: TP101:9
                if (i + 1) % k == 0:
                    opt.step()
    """,
    "a closure": """
        def solve(x):
            p = torch.zeros(3, requires_grad=True)
            opt = optim.LBFGS([p])
            def closure():
                loss = (p - x).pow(2).sum()
                loss.backward()  # expect: TP101:9
                return loss
            for _ in range(5):
                opt.step(closure)
    """,
    "while and next": """
        def train(net, it):
            opt = optim.RMSprop(net.parameters())
            step = 0
            while step < 100:
                x = next(it)
                net(x).mean().backward()  # expect: TP101:9
                opt.step()
                step += 1
    """,
    "a new optimizer for the same model": """
        def train(loader):
            net = nn.Linear(2, 1)
            for x in loader:
                opt = optim.SGD(net.parameters(), lr=0.1)
                net(x).mean().backward()  # expect: TP101:9
                opt.step()
    """,
    "two losses": """
        def train(a, b, loader):
            opt = optim.SGD([*a.parameters(), *b.parameters()], lr=0.1)
            for x in loader:
                one, two = a(x).mean(), b(x).mean()
                one.backward()  # expect: TP101:9
                two.backward()
                opt.step()
    """,
    "two optimizers at the end": """
        def train(loader):
            enc, dec = nn.Linear(2, 2), nn.Linear(2, 2)
            enc_opt, dec_opt = optim.SGD(enc.parameters(), lr=1.0), optim.SGD(dec.parameters(), lr=1.0)
            for x in loader:
                enc_opt.zero_grad()
                loss = dec(enc(x)).mean()
                loss.backward()  # expect: TP101:9
                enc_opt.step()
                dec_opt.step()
    """,
    "a sum that starts as a number": """
        model = nn.Linear(2, 1)
        optimizer = optim.SGD(model.parameters(), lr=0.1)
        for x in data:
            loss = 0
            for part in x:
                loss += F.mse_loss(model(part), part)
            loss.backward()  # expect: TP101:5
            optimizer.step()
    """,
    "two loops with one test": """
        def update(x):
            loss = model(x).mean()
            loss.backward()  # expect: TP101:5
            optimizer.step()

        model = nn.Linear(2, 1)
        optimizer = optim.SGD(model.parameters(), lr=0.1)
        frame = 0
        while frame < 100:
            while not done:
                act(frame)
            update(frame)
        while frame < 100:
            while not done:
                act(frame)
            update(frame)
    """,
    "apex": """
        from apex import amp

        def train(net, data):
            opt = optim.SGD(net.parameters(), lr=0.1)
            net, opt = amp.initialize(net, opt)
            for x in data:
                loss = net(x).mean()
                with amp.scale_loss(loss, opt) as scaled:
                    scaled.backward()  # expect: TP101:13
                opt.step()
    """,
    "the name of zero_grad, not its call": """
        def train(net, opt, data):
            for x in data:
                opt.zero_grad
                net(x).mean().backward()  # expect: TP101:9
                opt.step()
    """,
    "a global optimizer": """
        net = nn.Linear(2, 1)
        optimizer = optim.SGD(net.parameters(), lr=0.1)

        def update(x):
            loss = net(x).mean()
            loss.backward()  # expect: TP101:5
            optimizer.step()
    """,
    "an optimizer in a dictionary": """
        def train(net, data):
            opts = {"net": optim.SGD(net.parameters(), lr=0.1)}
            for x in data:
                net(x).mean().backward()  # expect: TP101:9
                opts["net"].step()
    """,
    "folds": """
        def cross_validate(folds):
            for train in folds:
                net = nn.Linear(2, 1)
                opt = optim.SGD(net.parameters(), lr=0.1)
                for x in train:
                    net(x).mean().backward()  # expect: TP101:13
                    opt.step()
    """,
    "a step inside a function": """
        def main():
            net = nn.Linear(2, 1)
            optimizer = optim.SGD(net.parameters(), lr=0.1)

            def step(x):
                loss = net(x).mean()
                loss.backward()  # expect: TP101:9
                optimizer.step()

            for x in data:
                step(x)
    """,
}

GOOD = {
    "all gradients at once": """
        def fit(net, opt, loader):
            parameters = [p for p in net.parameters() if p.requires_grad]
            for x in loader:
                net(x).mean().backward()
                opt.step()
                torch._foreach_zero_([p.grad for p in parameters])
    """,
    "setattr": """
        def fit(net, opt, loader):
            for x in loader:
                net(x).mean().backward()
                opt.step()
                [setattr(p, "grad", None) for p in net.parameters()]
    """,
    "the method is kept as a function": """
        def fit(net, loader):
            opts = [optim.SGD(net.parameters(), lr=0.1)]
            before = [opt.zero_grad for opt in opts]
            for x in loader:
                for call in before:
                    call()
                net(x).mean().backward()
                opts[0].step()
    """,
    "the method is handed over": """
        def fit(net, engine, loader):
            opt = optim.SGD(net.parameters(), lr=0.1)
            engine.on_start(opt.zero_grad)
            for x in engine.over(loader):
                net(x).mean().backward()
                opt.step()
    """,
    "accumulation": """
        def train(net, loader, k=4):
            opt = optim.Adam(net.parameters())
            for i, (x, y) in enumerate(loader):
                loss = F.mse_loss(net(x), y) / k
                loss.backward()
                if (i + 1) % k == 0 or i + 1 == len(loader):
                    opt.step()
                    opt.zero_grad()
    """,
    "accumulation, cleared under its own test": """
        def train(net, loader, k=4):
            opt = optim.Adam(net.parameters())
            for i, (x, y) in enumerate(loader):
                if i % k == 0:
                    opt.zero_grad()
                loss = F.mse_loss(net(x), y) / k
                loss.backward()
                if (i + 1) % k == 0:
                    opt.step()
    """,
    "accumulation, stepped where the group ends": """
        def train(net, loader, k=4):
            opt = optim.Adam(net.parameters())
            for i, (x, y) in enumerate(loader):
                if i % k == 0:
                    opt.zero_grad()
                loss = F.mse_loss(net(x), y) / k
                loss.backward()
                if i % k == k - 1:
                    opt.step()
    """,
    "accumulation over micro-batches": """
        def train(net, loader):
            opt = optim.Adam(net.parameters())
            for batch in loader:
                opt.zero_grad()
                for x in batch.chunk(4):
                    net(x).mean().backward()
                opt.step()
    """,
    "every kind of clearing": """
        def first(net, opt, data):
            for x in data:
                net.zero_grad()
                net(x).mean().backward()
                opt.step()

        def second(net, opt, data):
            for x in data:
                for p in net.parameters():
                    p.grad = None
                net(x).mean().backward()
                opt.step()

        def third(net, opt, data):
            for x in data:
                net(x).mean().backward()
                opt.step()
                for p in net.parameters():
                    if p.grad is not None:
                        p.grad.zero_()

        def fourth(net, opt, data):
            for x in data:
                for group in opt.param_groups:
                    for p in group["params"]:
                        del p.grad
                net(x).mean().backward()
                opt.step()

        def fifth(net, opt, data):
            for x in data:
                for p in net.parameters():
                    p.grad *= 0
                net(x).mean().backward()
                opt.step()
    """,
    "a helper that cannot be read": """
        from somewhere import reset_grad

        def train(net, data):
            opt = optim.SGD(net.parameters(), lr=0.1)
            for x in data:
                reset_grad(net)
                net(x).mean().backward()
                opt.step()
    """,
    "a helper whose name says nothing": """
        def wipe(module):
            for p in module.parameters():
                if p.grad is not None:
                    p.grad.detach_()
                    p.grad.zero_()

        def train(net, data):
            opt = optim.SGD(net.parameters(), lr=0.1)
            for x in data:
                wipe(net)
                net(x).mean().backward()
                opt.step()
    """,
    "handed on": """
        from somewhere import before_step

        def train(net, data):
            opt = optim.SGD(net.parameters(), lr=0.1)
            for x in data:
                before_step(opt)
                net(x).mean().backward()
                opt.step()
    """,
    "not a number": """
        def train(net, data):
            opt = optim.SGD(net.parameters(), lr=0.1)
            for x in data:
                loss = net(x).mean()
                if torch.isnan(loss):
                    opt.zero_grad()
                    continue
                opt.zero_grad()
                loss.backward()
                opt.step()
    """,
    "a single step": """
        def main():
            net = nn.Linear(2, 1)
            opt = optim.SGD(net.parameters(), lr=0.1)
            net(torch.ones(2)).mean().backward()
            opt.step()

        main()
    """,
    "new model and optimizer": """
        def search(rates):
            for lr in rates:
                net = nn.Linear(2, 1)
                opt = optim.SGD(net.parameters(), lr=lr)
                net(torch.ones(2)).mean().backward()
                opt.step()
    """,
    "made by a factory": """
        def probe(net, lr):
            opt = optim.SGD(net.parameters(), lr=lr)
            net(torch.ones(2)).mean().backward()
            opt.step()

        def search(rates):
            for lr in rates:
                probe(nn.Linear(2, 1), lr)
    """,
    "an agent for each seed": """
        class Agent:
            def __init__(self, seed):
                self.net = nn.Linear(2, 1)
                self.opt = optim.SGD(self.net.parameters(), lr=0.1)

            def learn(self, x):
                self.net(x).mean().backward()
                self.opt.step()

        def compare(seeds, x):
            for seed in seeds:
                agent = Agent(seed)
                agent.learn(x)
            for seed in seeds:
                Agent(seed).learn(x)
    """,
    "a wrapper clears": """
        class Scheduled:
            def __init__(self, optimizer):
                self.optimizer = optimizer

            def step(self):
                self.optimizer.step()
                self.optimizer.zero_grad()

        def train(net, data):
            opt = Scheduled(optim.SGD(net.parameters(), lr=0.1))
            for x in data:
                net(x).mean().backward()
                opt.step()
    """,
    "an optimizer whose step clears": """
        class Clearing(optim.SGD):
            def step(self, closure=None):
                super().step(closure)
                self.zero_grad()

        def train(net, data):
            opt = Clearing(net.parameters(), lr=0.1)
            for x in data:
                net(x).mean().backward()
                opt.step()
    """,
    "accelerate and lightning": """
        import lightning as L
        from accelerate import Accelerator

        def train(net, loader):
            accelerator = Accelerator()
            opt = optim.SGD(net.parameters(), lr=0.1)
            net, opt, loader = accelerator.prepare(net, opt, loader)
            for x in loader:
                accelerator.backward(net(x).mean())
                opt.step()

        class Lit(L.LightningModule):
            def training_step(self, batch, batch_idx):
                return self.net(batch).mean()
    """,
    "an engine": """
        import deepspeed

        def train(net, loader):
            engine, _, _, _ = deepspeed.initialize(model=net)
            for x in loader:
                loss = engine(x).mean()
                engine.backward(loss)
                engine.step()
    """,
    "many optimizers": """
        class Trainer:
            def __init__(self, nets):
                self.nets = nets
                self.optimizers = [optim.SGD(n.parameters(), lr=0.1) for n in nets]

            def fit(self, data):
                for x in data:
                    for opt in self.optimizers:
                        opt.zero_grad()
                    loss = sum(n(x).mean() for n in self.nets)
                    loss.backward()
                    for opt in self.optimizers:
                        opt.step()
    """,
    "one optimizer for each name": """
        def fit(nets, opts, data):
            for x in data:
                for name in nets:
                    opts[name].zero_grad()
                for name in nets:
                    nets[name](x).mean().backward()
                    opts[name].step()
    """,
    "cleared by the caller": """
        def update(net, opt, x):
            net(x).mean().backward()
            opt.step()

        def train(net, data):
            opt = optim.SGD(net.parameters(), lr=0.1)
            for x in data:
                opt.zero_grad()
                update(net, opt, x)
    """,
    "cleared in another method": """
        class Agent:
            def __init__(self):
                self.net = nn.Linear(2, 1)
                self.opt = optim.Adam(self.net.parameters())

            def prepare(self):
                self.opt.zero_grad()

            def learn(self, batch):
                loss = self.net(batch).mean()
                loss.backward()
                self.opt.step()
    """,
    "a loss that is passed in": """
        class Scaler:
            def __init__(self):
                self.scaler = torch.amp.GradScaler("cuda")

            def __call__(self, loss, optimizer):
                self.scaler.scale(loss).backward()
                self.scaler.step(optimizer)
                self.scaler.update()
    """,
    "a loss that is passed in and scaled": """
        from apex import amp

        def apply(loss, optimizer, k):
            with amp.scale_loss(loss, optimizer) as scaled:
                scaled.backward()
            optimizer.step()

        def divide(total, optimizer, k):
            loss = total / k
            loss.backward()
            optimizer.step()
    """,
    "a hook": """
        class Trainer(Unknown):
            def fit(self, data):
                for x in data:
                    self.before(x)
                    self.net(x).mean().backward()
                    self.optimizer.step()
    """,
    "no torch optimizer": """
        class Car:
            def step(self):
                self.x = 1

            def backward(self):
                self.x = 0

        car = Car()
        for _ in range(3):
            car.backward()
            car.step()
    """,
}


@pytest.mark.parametrize("name", BAD)
def test_reported(name: str) -> None:
    text = PRELUDE + textwrap.dedent(BAD[name])
    assert check(text, ["TP101"]) == marks(text) != []


@pytest.mark.parametrize("name", GOOD)
def test_silent(name: str) -> None:
    assert check(PRELUDE + textwrap.dedent(GOOD[name]), ["TP101"]) == []


HELPERS = """
    def clear(opts):
        for opt in opts:
            opt.zero_grad()

    class Base:
        def start(self):
            clear([self.opt])
"""


def test_cleared_in_another_file() -> None:
    main = PRELUDE + textwrap.dedent("""
        from helpers import Base, clear

        def reset(opt):
            clear([opt])

        def train(net, data):
            opt = optim.SGD(net.parameters(), lr=0.1)
            for x in data:
                reset(opt)
                net(x).mean().backward()
                opt.step()

        class Trainer(Base):
            def __init__(self, net):
                self.net = net
                self.opt = optim.SGD(net.parameters(), lr=0.1)

            def fit(self, data):
                for x in data:
                    self.start()
                    self.net(x).mean().backward()
                    self.opt.step()
    """)
    assert check({"a.py": main, "helpers.py": HELPERS}, ["TP101"]) == []


def test_stepped_in_a_base_class_of_another_file() -> None:
    base = """
        class Base:
            def clear(self):
                self.opt.zero_grad()

            def update(self, loss):
                loss.backward()
                self.opt.step()
    """
    main = PRELUDE + textwrap.dedent("""
        from base import Base

        class Trainer(Base):
            def __init__(self, net):
                self.net = net
                self.opt = optim.SGD(net.parameters(), lr=0.1)

            def fit(self, data):
                for x in data:
                    loss = self.net(x).mean()
                    loss.backward()  # expect: TP101:13
                    self.opt.step()

            def other(self, data):
                for x in data:
                    self.clear()
                    self.update(self.net(x).mean())
    """)
    assert check({"a.py": main, "base.py": base}, ["TP101"]) == marks(main)
