"""TP110: which copies keep their graph and are targets."""
from __future__ import annotations

import textwrap

import pytest
from support import check

HEAD = """\
import torch
import torch.nn.functional as F
from torch import nn
net, other = nn.Linear(3, 3), nn.Linear(3, 3)
"""


def found(body: str) -> list[tuple[int, int]]:
    """Return line, counted without the head, and column of what is found in *body*."""
    return [(line - 4, column) for line, column, _ in check(HEAD + textwrap.dedent(body), ["TP110"])]


COPIES = {
    "h.clone()": 14,
    "torch.clone(h)": 14,
    "h + 0": 14,
    "0 + h": 14,
    "h - 0.0": 14,
    "1 * h": 14,
    "h / 1": 14,
    "h + 1": None,
    "0 - h": None,
    "h.detach()": None,
    "h.detach().clone()": None,
    "h.clone().detach()": None,
    "h.clone().data": None,
    "y.clone()": None,
    "torch.zeros(3).clone()": None,
}


@pytest.mark.parametrize("copy", COPIES)
def test_copies(copy: str) -> None:
    text = "def f(x, y):\n    h = other(x)\n    target = {}\n    loss = F.mse_loss(net(x), target)\n    loss.backward()\n"
    assert found(text.format(copy)) == ([] if COPIES[copy] is None else [(3, COPIES[copy])])


USES = {
    "F.mse_loss(net(x), target)": True,
    "F.mse_loss(net(x), target.detach())": False,
    "(net(x) - target).abs().mean()": True,
    "(net(x) - target.detach()).abs().mean()": False,
    "(x - target).abs().mean()": False,
    "(net(x) + target).mean()": False,
    "F.cross_entropy(target, y)": False,
    "net(x).mean()": False,
}


@pytest.mark.parametrize("use", USES)
def test_uses(use: str) -> None:
    text = "def f(x, y):\n    target = other(x).clone()\n    loss = {}\n    {}\n"
    assert found(text.format(use, "loss.backward()")) == ([(2, 14)] if USES[use] else [])
    assert found(text.format(use, "print(loss)") + "net(torch.ones(3)).sum().backward()\n") == []


def test_names_without_a_meaning() -> None:
    text = "def f(x, y):\n    z = other(x).clone()\n    loss = (net(x) - z).abs().mean()\n    loss.backward()\n"
    assert found(text) == []
    assert found(text.replace("z", "old_z")) == [(2, 13)]


def test_changed_in_place() -> None:
    text = "def f(x, y):\n    target = other(x).clone()\n    {}\n    F.mse_loss(net(x), target).backward()\n"
    assert found(text.format("pass")) == [(2, 14)]
    assert found(text.format("target[0] = y")) == []
    assert found(text.format("target.clamp_(0, 1)")) == []


def test_recording_off() -> None:
    assert found("""
        def f(x):
            with torch.no_grad():
                target = other(x).clone()
            F.mse_loss(net(x), target).backward()
        """) == []
