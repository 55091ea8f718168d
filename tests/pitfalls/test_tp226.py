"""TP226 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import torch
import torch.nn.functional as F
from torch import nn
ONE = 1
class Net(nn.Module):
    def __init__(self, width=1, dim=-1):
        super().__init__()
        self.fc = nn.Linear(8, 8)
        self.one = nn.Linear(8, out_features=ONE)
        self.two = nn.Linear(8, 2)
        self.any = nn.Linear(8, width)
        self.map = nn.Conv2d(8, 1, 1)
        self.soft = nn.Softmax(dim=1)
        self.last = nn.Softmax(-1)
    def forward(self, x, y, dim):
        return {}
"""


def found(value: str) -> list[int]:
    return [column - 15 for _, column, _ in check(HEAD.format(value), ["TP226"])]


@pytest.mark.parametrize(
    "value",
    [
        "F.cross_entropy(self.one(x), y)",
        "F.cross_entropy(self.map(x), y)",
        "nn.CrossEntropyLoss()(input=self.one(self.fc(x)), target=y)",
        "F.softmax(self.one(x), dim=-1)",
        "F.log_softmax(self.one(x), -1)",
        "torch.softmax(self.map(x), 1)",
        "self.one(x).softmax(dim=-1)",
        "self.last(self.one(x))",
        "self.soft(self.map(x))",
        "self.soft(self.one(x.flatten(1)))",
        "F.softmax(self.one(self.fc(x).view(-1, 8)), dim=1)",
    ],
)
def test_faults(value: str) -> None:
    assert found(value) == [1]


@pytest.mark.parametrize(
    "value",
    [
        "F.cross_entropy(self.two(x), y)",
        "F.cross_entropy(self.any(x), y)",
        "F.cross_entropy(self.one(x).squeeze(), y)",
        "F.cross_entropy(self.one(x).view(-1, 4), y)",
        "F.cross_entropy(self.one(x).transpose(0, 1), y)",
        "F.cross_entropy(self.one(nn.LSTM(8, 8)(x)[0]), y)",
        "F.cross_entropy(self.one(x) if dim else self.two(x), y)",
        "F.softmax(self.one(x), dim=1)",
        "F.softmax(self.one(x), dim=0)",
        "F.softmax(self.one(x), dim=dim)",
        "F.softmax(self.one(x), dim=-2)",
        "F.softmax(self.map(x), dim=-1)",
        "F.softmax(self.map(x).flatten(1), dim=1)",
        "F.softmax(self.any(x), dim=-1)",
        "self.soft(self.one(x))",
        "self.last(self.two(x))",
        "self.one(x).sigmoid()",
        "F.binary_cross_entropy_with_logits(self.one(x), y)",
    ],
)
def test_silent(value: str) -> None:
    assert found(value) == []


def test_a_width_that_all_callers_give() -> None:
    text = """\
        import torch.nn.functional as F
        from torch import nn
        class Net(nn.Module):
            def __init__(self, classes):
                super().__init__()
                self.fc = nn.Linear(8, classes)
            def forward(self, x):
                return self.fc(x)
        net = Net(1)
        def loss(x, y):
            return F.cross_entropy(net(x), y)
        """
    assert check(text) == [(11, 12, "TP226")]
    assert check(text.replace("net = Net(1)", "net = Net(2)")) == []
