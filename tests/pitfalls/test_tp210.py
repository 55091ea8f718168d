"""TP210 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch, torch.nn as nn, torch.nn.functional as F\nfrom collections import OrderedDict\n"


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 2, column) for line, column, _ in check(HEAD + text, ["TP210"])]


@pytest.mark.parametrize(
    "text, place",
    [
        ("nn.Sequential(F.relu)", (1, 15)),
        ("nn.Sequential(*[nn.ReLU(), nn.ReLU])", (1, 28)),
        ("nn.Sequential(OrderedDict({'a': torch.tanh}))", (1, 33)),
        ("nn.Sequential(OrderedDict(a=nn.ReLU(), b=1), F.relu)", (1, 46)),
        ("l = [nn.ReLU()]\nl += [torch.sigmoid]\nnn.Sequential(*l)", (2, 7)),
        ("nn.Sequential(*([nn.ReLU()] + [F.relu]))", (1, 32)),
        ("nn.ModuleList([nn.Linear for _ in range(3)])", (1, 16)),
        ("act = F.relu\nnn.Sequential(act)", (2, 15)),
        ("def f(act=F.relu): return nn.Sequential(act)\nf(torch.tanh)", (1, 41)),
        ("class N(nn.Module): pass\nnn.Sequential(N)", (2, 15)),
        ("net = nn.Sequential()\nnet.add_module('a', F.relu)", (2, 21)),
    ],
)
def test_refused(text: str, place: tuple[int, int]) -> None:
    assert found(text) == [place]


@pytest.mark.parametrize(
    "text",
    [
        "nn.Sequential(nn.ReLU())",
        "nn.Sequential(None)",
        "nn.Sequential(unknown)",
        "nn.Sequential(*unknown)",
        "def f(act=F.relu): return nn.Sequential(act)",
        "def f(act): return nn.Sequential(act)\nf(nn.ReLU())\nf(F.relu)",
        "def f(norm=nn.BatchNorm2d): return nn.Sequential(norm(3))",
        "import functools\nnn.Sequential(functools.partial(nn.ReLU)())",
        "@register\ndef act(x): return x\nnn.Sequential(act)",
        "act = {'relu': F.relu, 'm': nn.ReLU()}[name]\nnn.Sequential(act)",
        "l = []\nl.append(F.relu)",
        "class S(nn.Sequential):\n    def __init__(self, f): super().__init__()\nS(F.relu)",
        "import keras\nkeras.Sequential([F.relu])",
        "try:\n    import fast\n    Act = fast.Act()\nexcept ImportError:\n    Act = F.relu\nnn.Sequential(Act)",
    ],
)
def test_taken_or_unknown(text: str) -> None:
    assert found(text) == []


def test_factories_of_another_file() -> None:
    blocks = "from torch import nn\ndef block(n):\n    return nn.Linear(n, n)\nclass Head(nn.Module): pass\n"
    text = "from blocks import Head, block\nfrom torch import nn\nnn.Sequential(block(3), Head(), block, Head)\n"
    assert check({"a.py": text, "blocks.py": blocks}, ["TP210"]) == [(3, 33, "TP210"), (3, 40, "TP210")]
