"""TP201 eval-mode-missing: cases beyond the examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import torch
from torch import nn
def fit(net, loader, opt):
    net.train()
    for x, y in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        opt.step()
"""
MAIN = """\
def main(loader):
    net = nn.Sequential({layers})
    fit(net, loader, torch.optim.SGD(net.parameters(), 0.1))
    {between}
    score(net, loader)
"""
SCORE = """\
def score(net, loader):
    with torch.no_grad():
        return sum((net(x).argmax(1) == y).sum().item() for x, y in loader)
"""
LINE = HEAD.count("\n") + 3


def program(score: str = SCORE, layers: str = "nn.Linear(2, 2), nn.Dropout()", between: str = "pass") -> str:
    return HEAD + score + MAIN.format(layers=layers, between=between)


def test_train_mode_lasts_into_the_next_function() -> None:
    assert check(program(), select=["TP201"]) == [(LINE, 21, "TP201")]


@pytest.mark.parametrize(
    "layers",
    [
        "nn.Linear(2, 2), nn.BatchNorm1d(2)",
        "nn.LSTM(2, 2, num_layers=2, dropout=0.1)",
        "nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2), 2)",
        "*[nn.Dropout(0.1) for _ in range(3)]",
    ],
)
def test_layers_with_modes(layers: str) -> None:
    assert check(program(layers=layers), select=["TP201"]) == [(LINE, 21, "TP201")]


@pytest.mark.parametrize(
    "layers",
    [
        "nn.Linear(2, 2), nn.ReLU()",
        "nn.Dropout(0)",
        "nn.Dropout(p=0.0)",
        "nn.BatchNorm1d(2, track_running_stats=False)",
        "nn.LSTM(2, 2)",
        "nn.InstanceNorm1d(2)",
    ],
)
def test_layers_without_modes(layers: str) -> None:
    assert check(program(layers=layers), select=["TP201"]) == []


@pytest.mark.parametrize(
    "between", ["net.eval()", "net.train(False)", "net.train(mode=False)", "prepare(net)", "net.train(loader.training)"]
)
def test_a_mode_set_between_or_unknown(between: str) -> None:
    assert check("from helpers import prepare\n" + program(between=between), select=["TP201"]) == []


def test_what_the_loop_is_named_for_stands_in_for_no_grad() -> None:
    score = """\
def score(net, val_loader):
    hits = 0
    for x, y in val_loader:
        hits += (net(x).argmax(1) == y).sum().item()
    return hits
"""
    assert (HEAD.count("\n") + 4, 18, "TP201") in check(program(score), select=["TP201"])


def test_a_manager_that_sets_the_mode() -> None:
    score = """\
import contextlib
@contextlib.contextmanager
def evaluating(net):
    net.eval()
    yield
    net.train()
def score(net, loader):
    with evaluating(net), torch.no_grad():
        return sum((net(x).argmax(1) == y).sum().item() for x, y in loader)
"""
    assert check(program(score), select=["TP201"]) == []


def test_class_and_helper_in_other_files() -> None:
    files = {
        "main.py": """\
            import torch
            from nets import Net
            from loops import fit
            def main(loader):
                net = Net()
                net.train()
                fit(net, loader)
                with torch.no_grad():
                    for x in loader:
                        print(net(x).argmax(1).tolist())
            """,
        "nets.py": """\
            from torch import nn
            class Net(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.drop = nn.Dropout(0.2)
                def forward(self, x):
                    return self.drop(x)
            """,
        "loops.py": "def fit(net, loader):\n    for x in loader:\n        net(x).sum().backward()\n",
    }
    assert check(files, select=["TP201"]) == [(10, 19, "TP201")]
    files["loops.py"] += "    net.eval()\n"
    assert check(files, select=["TP201"]) == []
