"""TP924 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch import nn\nfrom torchvision import models\nloss.backward()\n"
FREEZE = "for p in net.parameters():\n    p.requires_grad = False\n"


@pytest.mark.parametrize("made", ["models.resnet50()", "models.vgg16_bn()", "nn.Sequential(nn.BatchNorm2d(3))"])
def test_frozen(made: str) -> None:
    assert check(HEAD + f"net = {made}\n{FREEZE}net.train()", ["TP924"]) == [(6, 1, "TP924")]


@pytest.mark.parametrize("made", ["models.vgg16()", "models.vit_b_16()", "nn.Linear(2, 2)", "build()"])
def test_no_statistics(made: str) -> None:
    assert check(HEAD + f"net = {made}\n{FREEZE}net.train()", ["TP924"]) == []


@pytest.mark.parametrize(
    "rest, count",
    [
        ("net.train()\nnet.eval()", 1),
        ("net.eval()", 0),
        ("whole.train()\nwhole.net.eval()", 0),
        ("for m in net.modules():\n    if isinstance(m, nn.BatchNorm2d): m.eval()", 0),
        ("net.requires_grad_(True)", 0),
        ("net.fc.requires_grad_(True)", 1),
    ],
)
def test_modes(rest: str, count: int) -> None:
    assert len(check(HEAD + f"net = models.resnet18()\n{FREEZE}{rest}", ["TP924"])) == count


def test_some_parameters_only() -> None:
    text = "net = models.resnet18()\nfor n, p in net.named_parameters():\n    if 'fc' not in n: p.requires_grad = False\n"
    assert check(HEAD + text, ["TP924"]) == []


def test_a_model_from_another_file() -> None:
    files = {
        "a.py": "from b import Net\nnet = Net()\nnet.requires_grad_(False)\nloss.backward()\n",
        "b.py": "from torch import nn\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.norm = nn.BatchNorm1d(3)\n",
    }
    assert [line for line, _, _ in check(files, ["TP924"])] == [3]


def test_lightning_trains() -> None:
    text = f"net = models.resnet18()\n{FREEZE}class Lit(L.LightningModule):\n    def training_step(self, batch): pass\n"
    head = HEAD.replace("loss.backward()", "import lightning as L")
    assert check(head + text, ["TP924"]) == [(6, 1, "TP924")]
    assert check(head + text.replace("training_step", "forward"), ["TP924"]) == []
