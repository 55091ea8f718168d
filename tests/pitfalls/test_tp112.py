"""TP112 scheduler-before-optimizer in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = (
    "import torch\nimport torch.nn as nn\nfrom torch import optim\n"
    "from torch.optim.lr_scheduler import ReduceLROnPlateau, StepLR\n"
)

BAD = {
    "in the phase that steps": """
        def main(net, opt, loaders):
            scheduler = StepLR(opt, step_size=3)
            for epoch in range(10):
                for phase in ("train", "val"):
                    if phase == "train":
                        scheduler.step()  # expect: TP112:17
                    for x in loaders[phase]:
                        with torch.set_grad_enabled(phase == "train"):
                            loss = net(x).mean()
                            if phase == "train":
                                opt.zero_grad()
                                loss.backward()
                                opt.step()
    """,
    "at the top of the epoch": """
        def main(net, loader):
            opt = optim.SGD(net.parameters(), lr=0.1)
            scheduler = StepLR(opt, step_size=3)
            for epoch in range(10):
                scheduler.step()  # expect: TP112:9
                for x in loader:
                    opt.zero_grad()
                    net(x).mean().backward()
                    opt.step()
    """,
    "an epoch function": """
        net = nn.Linear(2, 1)
        optimizer = optim.SGD(net.parameters(), lr=0.1)
        scheduler = StepLR(optimizer, 3)

        def train(epoch):
            scheduler.step()  # expect: TP112:5
            for x in data:
                optimizer.zero_grad()
                net(x).mean().backward()
                optimizer.step()

        for epoch in range(3):
            train(epoch)
    """,
    "a helper steps the optimizer": """
        def train(net, opt, loader):
            for x in loader:
                opt.zero_grad()
                net(x).mean().backward()
                opt.step()

        def main(net, loader, args):
            opt = optim.SGD(net.parameters(), lr=0.1)
            scheduler = StepLR(opt, step_size=3)
            for epoch in range(10):
                if args.schedule:
                    scheduler.step()  # expect: TP112:13
                train(net, opt, loader)
    """,
    "in the batch": """
        class Trainer:
            def __init__(self, net):
                self.net = net
                self.opt = optim.AdamW(net.parameters())
                self.sched = optim.lr_scheduler.LambdaLR(self.opt, lambda n: 1 / (n + 1))

            def step(self, x):
                self.opt.zero_grad()
                self.net(x).mean().backward()
                self.sched.step()  # expect: TP112:9
                self.opt.step()
    """,
    "where both accumulate": """
        def main(net, loader, k=2):
            opt = optim.SGD(net.parameters(), lr=0.1)
            scheduler = StepLR(opt, step_size=3)
            for i, x in enumerate(loader):
                net(x).mean().backward()
                if (i + 1) % k == 0:
                    scheduler.step()  # expect: TP112:13
                    opt.step()
                    opt.zero_grad()
    """,
    "many": """
        def main(net, loader):
            opts = [optim.SGD(net.parameters(), lr=0.1)]
            schedulers = [StepLR(opt, 3) for opt in opts]
            for x in loader:
                for opt in opts:
                    opt.zero_grad()
                net(x).mean().backward()
                for scheduler in schedulers:
                    scheduler.step()  # expect: TP112:13
                for opt in opts:
                    opt.step()
    """,
    "annotated, and there at times": """
        from typing import Optional

        def train(net, loader, opt: optim.Optimizer, scheduler: Optional[optim.lr_scheduler.LRScheduler] = None):
            for x in loader:
                opt.zero_grad()
                net(x).mean().backward()
                if scheduler is not None:
                    scheduler.step()  # expect: TP112:13
                opt.step()
    """,
    "scaler": """
        def main(net, loader):
            opt = optim.SGD(net.parameters(), lr=0.1)
            scheduler = StepLR(opt, step_size=3)
            scaler = torch.amp.GradScaler("cuda")
            for x in loader:
                opt.zero_grad()
                scaler.scale(net(x).mean()).backward()
                scheduler.step()  # expect: TP112:9
                scaler.step(opt)
                scaler.update()
    """,
}

GOOD = {
    "in the other phase": """
        def main(net, opt, loaders):
            scheduler = StepLR(opt, step_size=3)
            for epoch in range(10):
                for phase in ("train", "val"):
                    if phase == "val":
                        scheduler.step()
                    for x in loaders[phase]:
                        if phase == "train":
                            opt.zero_grad()
                            net(x).mean().backward()
                            opt.step()
    """,
    "a flag that changes in between": """
        def main(net, opt, loader):
            scheduler = StepLR(opt, step_size=3)
            started = False
            for x in loader:
                if started:
                    scheduler.step()
                started = True
                opt.zero_grad()
                net(x).mean().backward()
                if started:
                    opt.step()
    """,
    "per epoch": """
        def main(net, loader):
            opt = optim.SGD(net.parameters(), lr=0.1)
            scheduler = StepLR(opt, step_size=3)
            for epoch in range(10):
                for x in loader:
                    opt.zero_grad()
                    net(x).mean().backward()
                    opt.step()
                scheduler.step()
    """,
    "not in the first epoch": """
        def main(net, loader):
            opt = optim.SGD(net.parameters(), lr=0.1)
            scheduler = StepLR(opt, step_size=3)
            for epoch in range(10):
                if epoch > 0:
                    scheduler.step()
                for x in loader:
                    opt.zero_grad()
                    net(x).mean().backward()
                    opt.step()
    """,
    "plateau": """
        def main(net, loader, loss):
            opt = optim.SGD(net.parameters(), lr=0.1)
            scheduler = ReduceLROnPlateau(opt)
            for epoch in range(10):
                scheduler.step(loss)
                for x in loader:
                    opt.zero_grad()
                    net(x).mean().backward()
                    opt.step()
    """,
    "told the epoch": """
        def main(net, loader):
            opt = optim.SGD(net.parameters(), lr=0.1)
            scheduler = StepLR(opt, step_size=3)
            for epoch in range(10):
                scheduler.step(epoch)
                for x in loader:
                    opt.zero_grad()
                    net(x).mean().backward()
                    opt.step()
    """,
    "resumed": """
        def main(net, loader, start):
            opt = optim.SGD(net.parameters(), lr=0.1)
            scheduler = StepLR(opt, step_size=3)
            for _ in range(start):
                scheduler.step()
            for epoch in range(start, 10):
                for x in loader:
                    opt.zero_grad()
                    net(x).mean().backward()
                    opt.step()
                scheduler.step()
    """,
    "exploration": """
        class EpsilonScheduler:
            def step(self):
                self.eps *= 0.9

        def main(net, env):
            opt = optim.SGD(net.parameters(), lr=0.1)
            scheduler = EpsilonScheduler()
            for episode in range(10):
                scheduler.step()
                opt.zero_grad()
                net(env.reset()).mean().backward()
                opt.step()
    """,
    "a class that decides by itself": """
        class Noam(optim.lr_scheduler.LRScheduler):
            def step(self):
                self.optimizer.param_groups[0]["lr"] = 1.0

        def main(net, loader):
            opt = optim.SGD(net.parameters(), lr=0.1)
            scheduler = Noam(opt)
            for x in loader:
                opt.zero_grad()
                net(x).mean().backward()
                scheduler.step()
                opt.step()
    """,
    "two optimizers": """
        def main(a, b, loader):
            opt_a = optim.SGD(a.parameters(), lr=0.1)
            opt_b = optim.SGD(b.parameters(), lr=0.1)
            sched_a = StepLR(opt_a, 3)
            for x in loader:
                opt_a.zero_grad()
                a(x).mean().backward()
                opt_a.step()
                sched_a.step()
                opt_b.zero_grad()
                b(x).mean().backward()
                opt_b.step()
    """,
    "trained in code that cannot be read": """
        from somewhere import train

        def main(net, loader):
            opt = optim.SGD(net.parameters(), lr=0.1)
            scheduler = StepLR(opt, step_size=3)
            for epoch in range(10):
                train(net, opt, loader)
                scheduler.step()
                for x in loader:
                    opt.zero_grad()
                    net(x).mean().backward()
                    opt.step()
    """,
    "set back by hand": """
        class Trainer:
            def __init__(self, net):
                self.net = net
                self.opt = optim.SGD(net.parameters(), lr=0.1)
                self.scheduler = StepLR(self.opt, step_size=3)

            def fit(self, loader, start):
                self.scheduler.last_epoch = start - 1
                while True:
                    self.scheduler.step()
                    for x in loader:
                        self.opt.zero_grad()
                        self.net(x).mean().backward()
                        self.opt.step()
    """,
    "the last batch": """
        def main(net, loader):
            opt = optim.SGD(net.parameters(), lr=0.1)
            scheduler = StepLR(opt, step_size=3)
            for i, x in enumerate(loader):
                if i % 100 == 99:
                    scheduler.step()
                opt.zero_grad()
                net(x).mean().backward()
                opt.step()
    """,
}


@pytest.mark.parametrize("name", BAD)
def test_reported(name: str) -> None:
    text = PRELUDE + textwrap.dedent(BAD[name])
    assert check(text, ["TP112"]) == marks(text) != []


@pytest.mark.parametrize("name", GOOD)
def test_silent(name: str) -> None:
    assert check(PRELUDE + textwrap.dedent(GOOD[name]), ["TP112"]) == []
