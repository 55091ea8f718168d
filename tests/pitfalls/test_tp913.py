"""TP913 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch import nn\nnet = nn.Linear(2, 2).eval()\n"
BLOCK = HEAD + "with torch.no_grad():\n    y = net(x)\n"


@pytest.mark.parametrize("rest", ["print(y.argmax())", "z = y.softmax(1).tolist()", "    print(y.item())"])
def test_data(rest: str) -> None:
    assert check(BLOCK + rest, ["TP913"]) == [(4, 6, "TP913")]


@pytest.mark.parametrize(
    "rest", ["store.y = y", "other(y)", "    net.weight.mul_(2)\nprint(y.item())", "print(y.item())\nloss.backward()", ""]
)
def test_silent(rest: str) -> None:
    assert check(BLOCK + rest, ["TP913"]) == []


def test_before_inference_mode() -> None:
    assert check(BLOCK + "print(y.argmax())", ["TP913"], (1, 8)) == []


def test_a_forward_that_keeps_something() -> None:
    files = {
        "a.py": "import torch\nfrom b import Net\nnet = Net()\nwith torch.no_grad():\n    print(net(x).item())\n",
        "b.py": "from torch import nn\nclass Net(nn.Module):\n    def forward(self, x):\n        self.seen = x\n"
        "        return x\n",
    }
    assert check(files, ["TP913"]) == []
