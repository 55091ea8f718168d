"""TP119: what is made in inference mode, and what meets autograd."""
from __future__ import annotations

import textwrap

import pytest
from support import check

HEAD = """\
import torch
import torch.nn.functional as F
from torch import nn
net = nn.Linear(3, 3)
"""


def found(body: str) -> list[tuple[int, int]]:
    """Return line, counted without the head, and column of what is found in *body*."""
    return [(line - 4, column) for line, column, _ in check(HEAD + textwrap.dedent(body), ["TP119"])]


MADE = {
    "net(x)": True,
    "net(x).softmax(-1)": True,
    "torch.zeros(3)": True,
    "torch.relu(net(x))": True,
    "net(x).view(3, 1).t()": True,
    "x.view(3, 1)": False,
    "x": False,
    "x.to('cuda')": False,
    "load(x)": False,
    "len(x)": False,
}


@pytest.mark.parametrize("made", MADE)
def test_what_is_made(made: str) -> None:
    text = f"def f(x, load):\n    with torch.inference_mode():\n        y = {made}\n    y.add_(1)\n"
    assert found(text) == ([(4, 5)] if MADE[made] else [])


USED = {
    "net(y)": 5,
    "net(y.detach())": 5,
    "net(y.clone())": None,
    "net(y + 1)": None,
    "nn.ReLU()(y)": None,
    "nn.Embedding(3, 3)(y)": None,
    "nn.Sequential(nn.Linear(3, 3), nn.ReLU())(y)": 5,
    "nn.Sequential(nn.ReLU(), nn.Linear(3, 3))(y)": None,
    "net(x) * y": 5,
    "y * net(x)": 5,
    "net(x) @ y": 5,
    "net(x) + y": None,
    "y * 2": None,
    "torch.mul(net(x), y)": 5,
    "torch.add(net(x), y)": None,
    "net(x).mul(y)": 5,
    "F.mse_loss(net(x), y)": 5,
    "F.mse_loss(x, y)": None,
    "F.l1_loss(net(x), y)": None,
    "nn.MSELoss()(net(x), y)": 5,
    "nn.L1Loss()(net(x), y)": None,
    "y.requires_grad_()": 5,
    "y.relu_()": 5,
    "y.relu()": None,
    "nn.Parameter(y)": 5,
    "print(y)": None,
}


@pytest.mark.parametrize("use", USED)
def test_what_is_done(use: str) -> None:
    text = "def f(x):\n    with {}():\n        y = net(x)\n    {}\n"
    assert found(text.format("torch.inference_mode", use)) == ([] if USED[use] is None else [(4, USED[use])])
    assert found(text.format("torch.no_grad", use)) == []


@pytest.mark.parametrize(
    ("mode", "reported"),
    [("torch.inference_mode()", True), ("torch.inference_mode(True)", True), ("torch.inference_mode(mode=True)", True),
     ("torch.inference_mode(False)", False), ("torch.inference_mode(x)", False), ("torch.no_grad()", False)],
)  # fmt: skip
def test_modes(mode: str, reported: bool) -> None:
    assert found(f"def f(x):\n    with {mode}:\n        y = net(x)\n    y *= 2\n") == ([(4, 5)] if reported else [])


def test_branches_and_later_values() -> None:
    assert found("""
        def f(x, fast):
            if fast:
                with torch.inference_mode():
                    y = net(x)
            else:
                y = net(x)
            y += 1
            with torch.inference_mode():
                z = net(x)
                z += 1
            z = z.clone()
            z += 1
        """) == []


def test_a_layer_that_is_frozen() -> None:
    text = "def f(x):\n    with torch.inference_mode():\n        y = net(x)\n    return net(y)\n"
    assert found(text) == [(4, 12)]
    assert found("net.requires_grad_(False)\n" + text) == []


def test_expected_failures() -> None:
    assert found("""
        import pytest
        def test(x):
            with torch.inference_mode():
                y = net(x)
            with pytest.raises(RuntimeError):
                y.add_(1)
        """) == []
