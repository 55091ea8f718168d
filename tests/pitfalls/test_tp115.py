"""TP115 clip-before-unscale in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = """\
import torch
from torch import nn, optim
from torch.nn.utils import clip_grad_norm_
net = nn.Linear(2, 1)
optimizer = optim.SGD(net.parameters(), lr=0.1)
"""

BAD = {
    "a script": """
        scaler = torch.amp.GradScaler("cuda")
        for x in data:
            optimizer.zero_grad()
            scaler.scale(net(x).mean()).backward()
            clip_grad_norm_(net.parameters(), 1.0)  # expect: TP115:5
            scaler.step(optimizer)
            scaler.update()
    """,
    "unscaled too late": """
        scaler = torch.cuda.amp.GradScaler()
        for x in data:
            optimizer.zero_grad()
            scaled = scaler.scale(net(x).mean())
            scaled.backward()
            nn.utils.clip_grad_value_(net.parameters(), 1.0)  # expect: TP115:5
            scaler.unscale_(optimizer)
            scaler.step(optimizer)
            scaler.update()
    """,
    "a parameter": """
        def train(model, loader, opt, scaler, max_norm=None):
            for i, x in enumerate(loader):
                scaler.scale(model(x).mean() / 4).backward()
                if (i + 1) % 4 == 0:
                    if max_norm is not None:
                        clip_grad_norm_(model.parameters(), max_norm)  # expect: TP115:17
                    scaler.step(opt)
                    scaler.update()
                    opt.zero_grad()
    """,
    "methods": """
        class Trainer:
            def __init__(self, model, use_amp):
                self.model = model
                self.opt = optim.Adam(model.parameters())
                self.scaler = torch.amp.GradScaler("cuda", enabled=use_amp)

            def backward(self, loss):
                self.scaler.scale(loss).backward()

            def clip(self):
                norm = clip_grad_norm_(self.model.parameters(), float("inf"))  # expect: TP115:16
                return norm

            def step(self, x):
                self.opt.zero_grad()
                self.backward(self.model(x).mean())
                self.clip()
                self.scaler.step(self.opt)
                self.scaler.update()
    """,
}

GOOD = {
    "unscaled": """
        scaler = torch.amp.GradScaler("cuda")
        for i, x in enumerate(data):
            scaler.scale(net(x).mean()).backward()
            if i % 2:
                scaler.unscale_(optimizer)
                clip_grad_norm_(net.parameters(), 1.0)
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
    """,
    "two tests": """
        def train(model, loader, opt, scaler, amp):
            for x in loader:
                if amp:
                    scaler.scale(model(x)).backward()
                else:
                    model(x).backward()
                if scaler is not None:
                    scaler.unscale_(opt)
                clip_grad_norm_(model.parameters(), 1.0)
                if scaler is not None:
                    scaler.step(opt)
                    scaler.update()
                else:
                    opt.step()
    """,
    "either way": """
        def train(model, loader, opt, scaler):
            for x in loader:
                if scaler is not None:
                    scaler.scale(model(x)).backward()
                    scaler.step(opt)
                    scaler.update()
                else:
                    model(x).backward()
                    clip_grad_norm_(model.parameters(), 1.0)
                    opt.step()
    """,
    "branches told apart by several tests": """
        def go(model, x, scaler, args):
            loss = model(x).mean()
            if args.fp16 and args.amp == "torch":
                scaler.scale(loss).backward()
            else:
                loss.backward()

        def train(model, loader, opt, args):
            scaler = torch.amp.GradScaler("cuda") if args.fp16 else None
            for x in loader:
                go(model, x, scaler, args)
                if args.fp16:
                    if args.amp == "torch":
                        scaler.unscale_(opt)
                        clip_grad_norm_(model.parameters(), 1.0)
                    else:
                        clip_grad_norm_(amp.master_params(opt), 1.0)
                else:
                    clip_grad_norm_(model.parameters(), 1.0)
                if args.fp16 and args.amp == "torch":
                    scaler.step(opt)
                    scaler.update()
                else:
                    opt.step()
    """,
    "off": """
        scaler = torch.amp.GradScaler("cuda", enabled=False)
        for x in data:
            scaler.scale(net(x).mean()).backward()
            clip_grad_norm_(net.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
    """,
    "by hand": """
        scaler = torch.amp.GradScaler("cuda")
        for x in data:
            scaler.scale(net(x).mean()).backward()
            clip_grad_norm_(net.parameters(), 1.0 * scaler.get_scale())
            scaler.step(optimizer)
            scaler.update()
    """,
    "in a helper": """
        from elsewhere import prepare

        def unscale(scaler, opt):
            scaler.unscale_(opt)

        scaler = torch.amp.GradScaler("cuda")
        for x in data:
            scaler.scale(net(x).mean()).backward()
            unscale(scaler, optimizer)
            clip_grad_norm_(net.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
        for x in data:
            scaler.scale(net(x).mean()).backward()
            prepare(scaler, optimizer)
            clip_grad_norm_(net.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
    """,
    "no scaler": """
        from apex import amp
        for x in data:
            with amp.scale_loss(net(x), optimizer) as scaled:
                scaled.backward()
            clip_grad_norm_(amp.master_params(optimizer), 1.0)
            optimizer.step()
    """,
}


@pytest.mark.parametrize("source", BAD.values(), ids=BAD)
def test_reported(source: str) -> None:
    text = PRELUDE + textwrap.dedent(source)
    assert check(text, ["TP115"]) == marks(text)


@pytest.mark.parametrize("source", GOOD.values(), ids=GOOD)
def test_silent(source: str) -> None:
    assert check(PRELUDE + textwrap.dedent(source), ["TP115"]) == []
