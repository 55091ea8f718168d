"""TP215 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch import nn\nnet = nn.Sequential(nn.Linear(1, 1))\n"


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 3, column) for line, column, _ in check(HEAD + text, ["TP215"])]


@pytest.mark.parametrize(
    "text, place",
    [
        ("net.requires_grad = False", (1, 1)),
        ("net[0].requires_grad = False", (1, 1)),
        ("for name, child in net.named_children(): child.requires_grad = False", (1, 42)),
        ("for i, layer in enumerate(net.children()):\n    if i < 3:\n        layer.requires_grad = False", (3, 9)),
        ("def f(model: 'nn.Module'): model.requires_grad = False", (1, 28)),
        ("def f(m):\n    m.requires_grad = False\n    m.eval()\n    m(1)", (2, 5)),
        ("def f(m):\n    for p in m.parameters(): p.requires_grads = False", (2, 30)),
        ("net[0].weight.require_grad = False", (1, 1)),
        ("net.require_grad = False", (1, 1)),
        ("opt = torch.optim.Adam(net.parameters())\nopt.weight_decay = 0.1", (2, 1)),
        ("def f(m):\n    for i, (n, c) in enumerate(m.named_children()): c.requires_grad = False", (2, 53)),
        ("def f(m):\n    if isinstance(m, (nn.Linear, nn.Conv2d)):\n        m.requires_grad = False", (3, 9)),
        ("nn.DataParallel(net).requires_grad = False", (1, 1)),
    ],
)
def test_ignored_by_torch(text: str, place: tuple[int, int]) -> None:
    assert found(text) == [place]


@pytest.mark.parametrize(
    "text",
    [
        "net[0].weight.requires_grad = False",
        "for p in net.parameters(): p.requires_grad = False",
        "for _, p in net.named_parameters(): p.requires_grad = False",
        "torch.zeros(1).requires_grad = True",
        "def f(m): m.requires_grad = False",
        "def f(m: nn.Module): m.encoder.requires_grad = False",
        "def f(p): p.require_grad = False",
        "def f(m):\n    if isinstance(m, nn.Parameter):\n        m.requires_grad = False",
        "for m in (net, nn.Parameter(w)):\n    if isinstance(m, nn.Parameter):\n        m.requires_grad = False",
        "def f(m):\n    for c in m.children():\n        for c in c.parameters(): c.requires_grad = False",
        "class C: pass\nC().require_grad = False",
        "class M(nn.Module):\n    def __setattr__(self, n, v): pass\nM().requires_grad = False",
        "class M(nn.Module):\n    requires_grad = True\nM().requires_grad = False",
        "class M(Unknown, nn.Module): pass\nM().requires_grad = False",
        "opt = torch.optim.Adam(net.parameters())\nopt.lr = 1\nprint(opt.lr)",
        "opt.lr = 1",
        "cfg.momentum = 0.9",
    ],
)
def test_read_or_unknown(text: str) -> None:
    assert found(text) == []


def test_modules_of_another_file() -> None:
    nets = (
        "from torch import nn\nclass Net(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.body = nn.Linear(1, 1)\n        self.w = nn.Parameter(1)\n"
    )
    text = """\
    import torch
    from nets import Net
    net = Net().cuda()
    net.body.requires_grad = False
    net.w.requires_grad = False
    """
    assert check({"a.py": text, "nets.py": nets}, ["TP215"]) == [(4, 1, "TP215")]
