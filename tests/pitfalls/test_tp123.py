"""TP123 not-called in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = "import torch\nimport torch.distributed as dist\nfrom torch import nn, optim\n"

BAD = {
    "a script": """
        net = nn.Linear(2, 1)
        opt = optim.SGD(net.parameters(), lr=0.1)
        sched = optim.lr_scheduler.StepLR(opt, 10)
        net.train  # expect: TP123:1
        for x in data:
            opt.zero_grad  # expect: TP123:5
            loss = net(x).mean()
            loss.backward  # expect: TP123:5
            opt.step  # expect: TP123:5
        sched.step  # expect: TP123:1
        net.eval  # expect: TP123:1
        net.cuda  # expect: TP123:1
    """,
    "a trainer": """
        class Trainer:
            def __init__(self, model, optimizer):
                self.model = model
                self.optimizer = optimizer
                self.scaler = torch.amp.GradScaler("cuda")

            def fit(self, batches):
                for x in batches:
                    self.scaler.scale(self.model(x).mean()).backward()
                    self.scaler.step(self.optimizer)
                    self.scaler.update  # expect: TP123:13
                    self.optimizer.zero_grad  # expect: TP123:13
    """,
    "nothing known but the use": """
        def evaluate(model, loader):
            model.eval  # expect: TP123:5
            with torch.no_grad():
                return [model(x) for x in loader]

        def update(loss, optimizer, lr_scheduler):
            loss.backward  # expect: TP123:5
            optimizer.step  # expect: TP123:5
            lr_scheduler.step  # expect: TP123:5
    """,
    "in other expressions": """
        def modes(model: nn.Module, optimizers: list[optim.Optimizer], training):
            model.train if training else model.eval  # expect: TP123:5, TP123:34
            [opt.step for opt in optimizers]  # expect: TP123:6
            training and model.train  # expect: TP123:18
    """,
    "gradients and functions": """
        def tidy(net: nn.Module):
            for p in net.parameters():
                p.grad.zero_  # expect: TP123:9
            torch.cuda.empty_cache  # expect: TP123:5
            dist.barrier  # expect: TP123:5
    """,
}

GOOD = {
    "called, passed on, assigned": """
        def train(net: nn.Module, opt: optim.Optimizer, run_later):
            opt.zero_grad()
            run_later(opt.step)
            step = opt.step
            step()
            hooks = [net.eval, net.train]
            return hooks, net.eval
    """,
    "data and properties": """
        class Splits:
            def __init__(self):
                self.train = [1]

            @property
            def step(self):
                return 3

        splits = Splits()
        splits.train
        splits.step
    """,
    "nothing says it is torch's": """
        def show(dataset, state, frame):
            dataset.train
            state.step
            frame.eval
    """,
    "a probe": """
        def is_torch_like(thing):
            try:
                thing.backward
            except AttributeError:
                return False
            return True
    """,
}


@pytest.mark.parametrize("source", BAD.values(), ids=BAD)
def test_reported(source: str) -> None:
    text = PRELUDE + textwrap.dedent(source)
    assert check(text, ["TP123"]) == marks(text)


@pytest.mark.parametrize("source", GOOD.values(), ids=GOOD)
def test_silent(source: str) -> None:
    assert check(PRELUDE + textwrap.dedent(source), ["TP123"]) == []


def test_objects_of_another_file() -> None:
    files = {
        "a.py": """
            from build import make

            net, opt = make()
            net.eval
            opt.step
        """,
        "build.py": """
            import torch

            def make():
                net = torch.nn.Linear(1, 1)
                return net, torch.optim.Adam(net.parameters())
        """,
    }
    assert check(files, ["TP123"]) == [(5, 1, "TP123"), (6, 1, "TP123")]
