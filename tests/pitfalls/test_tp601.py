"""TP601 beyond its examples."""
from __future__ import annotations

import pytest
from support import check, codes

HEAD = """\
import torch
from torch import compile as fast, nn
class Net(nn.Module):
    def forward(self, x):
        return x
    def other(self, x):
        return x
net = Net()
"""


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 8, column) for line, column, _ in check(HEAD + text, ["TP601"])]


@pytest.mark.parametrize(
    "text, column",
    [
        ("f = torch.compile(net.forward)", 19),
        ("f = torch.compile(model=net.forward, backend='eager')", 25),
        ("f = fast(net.forward)", 10),
        ("f = torch.compile(fullgraph=True)(net.forward)", 35),
        ("f = torch.compile(nn.Linear(2, 2).forward)", 19),
        ("f = torch.compile(nn.DataParallel(net).module.forward)", 19),
        ("def f(pipe): return torch.compile(pipe.unet.forward)", 35),
        ("def f(model): return torch.compile(model.forward)", 36),
        ("net.fast = torch.compile(net.forward)", 26),
    ],
)
def test_bound_forward(text: str, column: int) -> None:
    assert found(text) == [(1, column)]


@pytest.mark.parametrize(
    "text",
    [
        "f = torch.compile(net)",
        "f = torch.compile(net.other)",
        "f = torch.compile(Net.forward)",
        "f = torch.compile()",
        "f = compile(net.forward)",
        "f = torch.jit.trace(net.forward, torch.ones(1))",
        "net.compile()",
        "net.forward = torch.compile(net.forward)",
        "net.forward = fast(net.forward) if net else net.forward",
        "net.forward = torch.compile(dynamic=True)(net.forward)",
        "f = torch.compile(net.forward); net.forward = f",
        "setattr(net, 'forward', torch.compile(net.forward))",
        "object.__setattr__(net, 'forward', torch.compile(net.forward))",
        "def f(m): return torch.compile(m.forward)\nnet.forward = f(net)",
        "def f(curve): return torch.compile(curve.forward)",
    ],
)
def test_others(text: str) -> None:
    assert found(text) == []


def test_the_forward_of_a_base() -> None:
    text = """\
    import torch
    class Net(torch.nn.Linear):
        def __init__(self):
            super().__init__(2, 2)
            self.plain = torch.compile(super().forward)
            self.fast = torch.compile(self.forward)
    """
    assert check(text, ["TP601"]) == [(6, 35, "TP601")]


def test_a_class_in_another_file() -> None:
    nets = """\
    import torch
    class Net(torch.nn.Module):
        def forward(self, x): return x
    class Curve:
        def forward(self, x): return x
    """
    text = "import torch\nfrom nets import Curve, Net\ntorch.compile(Curve().forward)\ntorch.compile(Net().forward)\n"
    assert check({"a.py": text, "nets.py": nets}) == [(4, 15, "TP601")]
    assert codes({"nets.py": nets}) == []
