"""TP121 fp16-autocast-without-scaler in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = """\
import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Linear(2, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
"""

BAD = {
    "a manager with a name": """
        cast = torch.autocast("cuda", dtype=torch.float16)  # expect: TP121:8
        for x, y in data:
            opt.zero_grad()
            with cast:
                loss = F.mse_loss(net(x), y)
            loss.backward()
            opt.step()
    """,
    "float16 on any device": """
        def train(device):
            for x, y in data:
                opt.zero_grad()
                with torch.autocast(device, dtype=torch.half):  # expect: TP121:14
                    loss = F.mse_loss(net(x), y)
                loss.backward()
                opt.step()
    """,
    "a flag that may be on": """
        def train(amp: bool):
            for x, y in data:
                opt.zero_grad()
                with torch.autocast("cuda", enabled=amp):  # expect: TP121:14
                    loss = F.mse_loss(net(x), y)
                loss.backward()
                opt.step()
    """,
}

GOOD = {
    "a gradient and no step": """
        def saliency(x):
            x.requires_grad_()
            with torch.autocast("cuda"):
                score = net(x).sum()
            score.backward()
            return x.grad
    """,
    "a block for evaluation in a training function": """
        for x, y in data:
            opt.zero_grad()
            F.mse_loss(net(x), y).backward()
            opt.step()
            with torch.no_grad():
                with torch.autocast("cuda"):
                    print(F.mse_loss(net(x), y).item())
    """,
    "options that cannot be read": """
        def train(options):
            for x, y in data:
                opt.zero_grad()
                with torch.autocast("cuda", **options):
                    loss = F.mse_loss(net(x), y)
                loss.backward()
                opt.step()
    """,
    "a scaler of a framework": """
        class Trainer:
            def step(self, x, y):
                opt.zero_grad()
                with torch.autocast("cuda"):
                    loss = F.mse_loss(net(x), y)
                self.grad_scaler(loss, opt)
                loss.backward()
                opt.step()
    """,
}


@pytest.mark.parametrize("source", BAD.values(), ids=BAD)
def test_reported(source: str) -> None:
    text = PRELUDE + textwrap.dedent(source)
    assert check(text, ["TP0", "TP1"]) == marks(text)


@pytest.mark.parametrize("source", GOOD.values(), ids=GOOD)
def test_silent(source: str) -> None:
    assert check(PRELUDE + textwrap.dedent(source), ["TP121"]) == []


def test_the_helper_that_steps_is_in_another_file() -> None:
    sources = {
        "a.py": """
            import torch
            from torch import nn
            from steps import apply_loss

            def train(model: nn.Module, loader):
                model.train()
                opt = torch.optim.Adam(model.parameters())
                for x, y in loader:
                    with torch.autocast("cuda"):
                        loss = nn.functional.mse_loss(model(x), y)
                    apply_loss(loss, opt)
        """,
        "steps.py": """
            def apply_loss(loss, opt):
                opt.zero_grad()
                loss.backward()
                opt.step()
        """,
    }
    assert check(sources) == [(10, 14, "TP121")]
