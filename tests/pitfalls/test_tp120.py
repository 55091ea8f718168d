"""TP120: which tensors cannot become arrays."""
from __future__ import annotations

import textwrap

import pytest
from support import check

HEAD = """\
import torch
import numpy as np
from torch import nn
net = nn.Linear(3, 3)
"""


def found(body: str) -> list[tuple[int, int]]:
    """Return line, counted without the head, and column of what is found in *body*."""
    return [(line - 4, column) for line, column, _ in check(HEAD + textwrap.dedent(body), ["TP120"])]


TENSORS = {
    "net(x)": True,
    "net(x).cpu()": True,
    "net(x).softmax(-1)": True,
    "net(x).squeeze(0)": True,
    "net.weight": True,
    "torch.ones(3, requires_grad=True)": True,
    "torch.ones(3).cuda()": True,
    "torch.ones(3, device='cuda')": True,
    "torch.ones(3).to('cuda:1').sum(0)": True,
    "net(x).detach()": False,
    "net(x).data": False,
    "net(x).detach().cpu()": False,
    "net(x).argmax(-1)": False,
    "net(x).max(1)[1]": False,
    "(net(x) > 0)": False,
    "torch.ones(3)": False,
    "torch.ones(3).cuda().cpu()": False,
    "torch.ones(3).to('cuda').to('cpu')": False,
    "x": False,
    "x.cpu()": False,
    "load(x)": False,
}


@pytest.mark.parametrize("tensor", TENSORS)
def test_tensors(tensor: str) -> None:
    expected = [(2, 12)] if TENSORS[tensor] else []
    assert found(f"def f(x, load):\n    return {tensor}.numpy()\n") == expected
    assert found(f"def f(x, load):\n    y = {tensor}; \n    return np.asarray(y)\n") == [(3, 12)] * len(expected)


@pytest.mark.parametrize(
    ("call", "reported"),
    [
        ("y.numpy()", True),
        ("np.array(y)", True),
        ("np.asarray(y, dtype=float)", True),
        ("y.numpy(force=True)", False),
        ("np.array([1, 2])", False),
        ("x.numpy()", False),
        ("np.sum(x)", False),
    ],
)
def test_conversions(call: str, reported: bool) -> None:
    expected = [(3, 12)] if reported else []
    assert found(f"def f(x):\n    y = net(x)\n    return {call}\n") == expected
    assert found(f"@torch.no_grad()\ndef f(x):\n    y = net(x)\n    return {call}\n") == []


def test_callers_decide() -> None:
    helper = "def f(x):\n    y = net(x)\n    return y.numpy()\n"
    assert found(helper + "with torch.no_grad():\n    f(torch.ones(3))\n") == []
    assert found(helper + "f(torch.ones(3))\n") == [(3, 12)]


def test_methods_of_modules_that_others_call() -> None:
    text = """\
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(3, 3)
            def scores(self, x):
                return self.fc(x).numpy()
        """
    assert found(text) == []
    assert found(textwrap.dedent(text) + "print(Net().scores(torch.ones(3)))\n") == [(6, 16)]


def test_results_of_unknown_methods() -> None:
    assert found("def f(agent: nn.Module, x):\n    action, value = agent.act(x)\n    return action.cpu().numpy()\n") == []


def test_devices_that_are_chosen() -> None:
    text = """\
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        y = torch.ones(3).to(device)
        z = {}
        """
    assert found(text.format("y.numpy()")) == [(3, 5)]
    assert found(text.format("y.cpu().numpy()")) == []
