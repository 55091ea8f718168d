"""TP204 forward-called-directly: cases beyond the examples."""
from __future__ import annotations

import pytest
from support import check


@pytest.mark.parametrize(
    "call, column",
    [
        ("net.forward(x)", 1),
        ("torch.nn.DataParallel(net).module.forward(x)", 1),
        ("y = [net.forward(v) for v in x]", 6),
        ("net[0].forward(x)", 1),
        ("torch.compile(net).forward(x)", 1),
    ],
)
def test_a_module_is_called(call: str, column: int) -> None:
    source = f"import torch\nnet = torch.nn.Sequential(torch.nn.Linear(2, 2))\nx = torch.ones(1, 2)\n{call}\n"
    assert check(source, select=["TP204"]) == [(4, column, "TP204")]


@pytest.mark.parametrize("call", ["net(x)", "net.forward", "unknown.forward(x)", "net.forward(x).shape"])
def test_nothing_is_skipped(call: str) -> None:
    source = f"import torch\nfrom else_ import unknown\nnet = torch.nn.Linear(2, 2)\nx = torch.ones(1, 2)\n{call}\n"
    assert check(source, select=["TP204"]) == []


def test_an_annotation_of_a_class_in_another_file() -> None:
    files = {
        "a.py": "from nets import Net\ndef run(net: 'Net', x):\n    return net.forward(x)\n",
        "nets.py": "import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x\n",
    }
    assert check(files, select=["TP204"]) == [(3, 12, "TP204")]


def test_a_part_of_what_is_only_known_to_be_a_module() -> None:
    source = "from torch import nn\ndef run(net: nn.Module, x):\n    return net.stem.forward(x), x.stem.forward(x)\n"
    assert check(source, select=["TP204"]) == [(3, 12, "TP204")]


def test_a_module_that_a_class_with_its_own_call_wraps() -> None:
    files = {
        "a.py": "from torch.nn.parallel import DataParallel\n"
        "from kernel import Kernel\n"
        "class Spread(DataParallel, Kernel):\n"
        "    def forward(self, x):\n"
        "        return self.module.forward(x)\n",
        "kernel.py": "import torch\n"
        "class Kernel(torch.nn.Module):\n"
        "    def __call__(self, x):\n"
        "        return lambda: self.forward(x)\n",
    }
    assert check(files, select=["TP204"]) == []
    files["kernel.py"] = "import torch\nclass Kernel(torch.nn.Module):\n    pass\n"
    assert check(files, select=["TP204"]) == [(5, 16, "TP204")]


LOADED = """\
import torch
from torch import nn
from transformers import BertModel, BertPreTrainedModel

class Tagger(BertPreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.bert = BertModel(config)

bert = BertModel.from_pretrained("bert-base-uncased")
tagger = Tagger.from_pretrained("tagger")
table = nn.Embedding.from_pretrained(torch.randn(3, 4))
bert.forward(1)
tagger.bert.forward(1)
table.forward(torch.tensor([1]))
"""


def test_what_a_class_method_makes() -> None:
    assert check(LOADED, ["TP204"]) == [(13, 1, "TP204"), (14, 1, "TP204"), (15, 1, "TP204")]


def test_a_method_that_forward_calls() -> None:
    files = {
        "a.py": "from base import Base\nclass Net(Base):\n    def loss(self, batch):\n        return self.forward(batch[0])\n",
        "base.py": "import torch\nclass Base(torch.nn.Module):\n    def forward(self, x):\n"
        "        return self.loss(x) if isinstance(x, tuple) else x\n",
    }
    assert check(files, select=["TP204"]) == []
    files["base.py"] = files["base.py"].replace("self.loss(x)", "x[0]")
    assert check(files, select=["TP204"]) == [(4, 16, "TP204")]


EXTRACTOR = """\
import torch
from torch import nn

class Extractor:
    def __init__(self, net: nn.Module):
        self.net = net

    def __call__(self, images):
        return self.net.stem.forward(images)
"""


def test_a_class_that_is_no_module_says_nothing_of_what_it_wraps() -> None:
    assert check(EXTRACTOR, ["TP204"]) == [(9, 16, "TP204")]
