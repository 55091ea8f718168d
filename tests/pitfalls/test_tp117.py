"""TP117 backward-inside-autocast in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = "import torch\nimport contextlib\nfrom torch import nn, optim\nfrom torch.cuda.amp import autocast\n"

BAD = {
    "a loop": """
        def train(net, loader, opt, scaler, use_amp):
            for x in loader:
                with torch.autocast("cuda", enabled=use_amp):
                    loss = net(x).mean()
                    scaler.scale(loss).backward()  # expect: TP117:13
                scaler.step(opt)
                scaler.update()
    """,
    "decorator": """
        class Net(nn.Module):
            @autocast()
            def training_pass(self, x):
                loss = self(x).mean()
                loss.backward()  # expect: TP117:9
                return loss.item()
    """,
    "in a helper": """
        class Trainer:
            def __init__(self, model):
                self.model = model
                self.optimizer = optim.Adam(model.parameters())

            def update(self, loss):
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()

            def fit(self, loader):
                for x in loader:
                    with autocast(dtype=torch.bfloat16):
                        loss = self.model(x).mean()
                        self.update(loss)  # expect: TP117:17
    """,
    "context kept": """
        ctx = contextlib.nullcontext() if device == "cpu" else torch.amp.autocast(device_type=device)
        for x in loader:
            with ctx:
                loss = net(x)
                loss.backward()  # expect: TP117:9
            opt.step()
    """,
    "kept on self": """
        class Trainer:
            def __init__(self, net):
                self.net = net
                self.cast = torch.autocast("cuda")

            def step(self, x):
                with self.cast:
                    if x is not None:
                        self.net(x).sum().backward()  # expect: TP117:17
    """,
}

GOOD = {
    "after the block": """
        def train(net, loader, opt):
            for x in loader:
                with torch.autocast("cuda"):
                    loss = net(x).mean()
                loss.backward()
                opt.step()
    """,
    "switched off": """
        FP16 = False

        def train(net, loader, opt):
            for x in loader:
                with torch.autocast("cuda", enabled=False):
                    net(x).mean().backward()
                with autocast(False):
                    net(x).mean().backward()
                with autocast(enabled=FP16):
                    net(x).mean().backward()
                with autocast():
                    loss = net(x)
                    with autocast(enabled=False):
                        loss.backward()
    """,
    "accelerate": """
        from accelerate import Accelerator

        accelerator = Accelerator()

        def train(net, loader):
            for x in loader:
                with torch.autocast("cuda"):
                    accelerator.backward(net(x))
                with accelerator.autocast():
                    loss = net(x)
                accelerator.backward(loss)
    """,
    "a penalty": """
        def penalty(net, x):
            with autocast():
                [grad] = torch.autograd.grad(net(x).sum(), x, create_graph=True)
                return grad.norm()
    """,
    "another manager": """
        def train(net, loader, no_autocast):
            for x in loader:
                with autocast():
                    loss = net(x)
                    with no_autocast():
                        loss.backward()
                with torch.enable_grad():
                    net(x).backward()
    """,
}


@pytest.mark.parametrize("source", BAD.values(), ids=BAD)
def test_reported(source: str) -> None:
    text = PRELUDE + textwrap.dedent(source)
    assert check(text, ["TP117"]) == marks(text)


@pytest.mark.parametrize("source", GOOD.values(), ids=GOOD)
def test_silent(source: str) -> None:
    assert check(PRELUDE + textwrap.dedent(source), ["TP117"]) == []


def test_helper_in_another_file() -> None:
    files = {
        "a.py": """
            import torch
            from steps import update

            def train(net, loader, opt):
                for x in loader:
                    with torch.autocast("cuda"):
                        update(net(x).mean(), opt)
        """,
        "steps.py": """
            def update(loss, opt):
                opt.zero_grad()
                loss.backward()
                opt.step()
        """,
    }
    assert check(files, ["TP117"]) == [(8, 13, "TP117")]
