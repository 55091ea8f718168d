"""TP216 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """import torch
from torch import nn
from torch.nn import init
net = nn.Sequential(nn.Linear(4, 4), nn.Dropout(), nn.BatchNorm1d(4))
layer = net[0]
"""


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 5, column) for line, column, _ in check(HEAD + text, ["TP216"])]


@pytest.mark.parametrize(
    "text, column",
    [
        ("net.train('eval')", 1),
        ("net.train(mode=None)", 1),
        ("net.train(0)", 1),
        ("net.train(layer)", 1),
        ("for mode in ('train', 'val'): net.train(mode)", 31),
        ("net.eval(False)", 1),
        ("nn.Linear(2, 2).eval(True)", 1),
        ("net.train = True", 1),
        ("net.eval = False", 1),
        ("net.training = False", 1),
        ("nn.DataParallel(net).module.training = True", 1),
        ("init.xavier_normal_(layer)", 1),
        ("torch.nn.init.normal_(tensor=net)", 1),
        ("nn.init.orthogonal_(layer.bias)", 1),
        ("init.kaiming_normal_(nn.BatchNorm1d(4).weight)", 1),
        ("init.xavier_uniform_(nn.Conv2d(1, 2, 3).bias.data)", 1),
        ("init.kaiming_normal_(layer.weight, a='relu')", 1),
        ("init.kaiming_uniform_(layer.weight, 0, 'fan_avg')", 1),
        ("init.kaiming_uniform_(layer.weight, nonlinearity='gelu')", 1),
        ("init.xavier_uniform_(layer.weight, 'relu')", 1),
        ("net.apply(init.zeros_)", 11),
        ("def f(m): init.ones_(m.weight)\nnet.apply(f(layer))", 11),
    ],
)
def test_wrong(text: str, column: int) -> None:
    assert found(text) == [(text.count("\n") + 1, column)]


@pytest.mark.parametrize(
    "text",
    [
        "net.train()",
        "net.train(True)",
        "net.train(mode=False)",
        "net.train(not net.training)",
        "def f(mode): net.train(mode)",
        "def f(*mode): net.train(*mode)",
        "nn.Module.train(net, False)",
        "other.train('eval')",
        "eval('1')",
        "import pytest\nwith pytest.raises(ValueError): net.train('eval')",
        "net.train = lambda mode=True: net",
        "net.train = some_function",
        "net.trained = True",
        "layer.training = False",
        "net.eval(); net.training = False",
        "for part in net.modules(): part.training = False",
        "init.zeros_(layer.bias)",
        "init.xavier_normal_(layer.weight)",
        "init.xavier_normal_(something.bias)",
        "init.kaiming_normal_(layer.weight, 0.2, 'fan_out', 'relu')",
        "def f(name): init.kaiming_normal_(layer.weight, nonlinearity=name)",
        "init.xavier_normal_(layer.weight, init.calculate_gain('selu'))",
        "def f(m): pass\nnet.apply(f)",
        "def f(gain): return lambda m: None\nnet.apply(f(2))",
        "frame.apply(init.zeros_)",
        "for p in net.parameters():\n    if p.dim() > 1: init.xavier_normal_(p)",
    ],
)
def test_right_or_unknown(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("value, expected", [("train", [(4, 9)]), ("bool(train)", []), ("is_train", [])])
def test_flag_in_a_module(value: str, expected: list[tuple[int, int]]) -> None:
    text = "class Net(nn.Module):\n    def __init__(self, train=False, is_train=None):\n"
    text += f"        super().__init__()\n        self.train = {value}\n"
    assert found(text) == expected


def test_base_class_in_another_file() -> None:
    files = {
        "main.py": "import torch\nfrom base import Base, Plain\nBase().train('eval')\nPlain().train('eval')\n",
        "base.py": "from torch import nn\nclass Base(nn.Module):\n    def train(self, phase='train'):\n"
        "        return super().train(phase == 'train')\nclass Plain(nn.Module):\n    pass\n",
    }
    assert check(files, ["TP216"]) == [(4, 1, "TP216")]
