"""TP205 submodules-in-plain-container: cases beyond the examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "from torch import nn\nclass Net(nn.Module):\n    def __init__(self, n, given):\n        super().__init__()\n"


@pytest.mark.parametrize(
    "statement",
    [
        "self.x = [nn.Linear(2, 2)]",
        "self.x = [nn.Linear(2, 2)] * n",
        "self.x = list(nn.Linear(2, 2) for _ in range(n))",
        "self.x: list[nn.Module] = [nn.Linear(2, 2) for _ in range(n)]",
        "self.x = {i: nn.GRU(2, 2) for i in range(n)}",
        "self.x = {'drop': nn.Dropout()}",
        "self.x = [nn.ReLU(), nn.Sequential(nn.Linear(2, 2))]",
    ],
)
def test_a_plain_container(statement: str) -> None:
    assert check(HEAD + "        " + statement + "\n", select=["TP205"]) == [(5, 9, "TP205")]


@pytest.mark.parametrize(
    "statement",
    [
        "self.x = nn.ModuleList([nn.Linear(2, 2)])",
        "self.x = nn.ModuleList(nn.Linear(2, 2) for _ in range(n))",
        "self.x = [nn.ReLU(), nn.MaxPool2d(2)]",
        "self.x = [given]",
        "self.a = nn.Linear(2, 2)\n        self.x = list(self.a.parameters())",
        "self.x = [nn.Parameter(n)]\n        for i, p in enumerate(self.x):\n            self.register_parameter(f'p{i}', p)",
        "self.x = [given(2) for _ in range(n)]",
        "self.x = [nn.Linear, nn.Conv2d]",
        "self.x = [2, 'two', None]",
        "x = [nn.Linear(2, 2)]\n        self.x, self.y = x, nn.Sequential(*x)",
        "x = [nn.Linear(2, 2)]\n        self.x = nn.Sequential(*x, nn.ReLU())",
        "a = nn.Linear(2, 2)\n        self.a = a\n        self.x = [a]",
        "self.x = [nn.Linear(2, 2)]\n        for i, m in enumerate(self.x):\n            setattr(self, f'm{i}', m)",
    ],
)
def test_nothing_is_lost(statement: str) -> None:
    assert check(HEAD + "        " + statement + "\n", select=["TP205"]) == []


def test_a_list_of_parameters() -> None:
    source = "import torch\n" + HEAD + "        self.x = [nn.Parameter(torch.ones(2)) for _ in range(n)]\n"
    assert check(source, select=["TP205"]) == [(6, 9, "TP205")]
    assert check(source.replace("[nn", "nn.ParameterList([nn").replace("(n)]", "(n)])"), select=["TP205"]) == []


def test_a_base_class_in_another_file() -> None:
    files = {
        "a.py": "from base import Base\nfrom torch import nn\n"
        "class Net(Base):\n    def build(self):\n        self.convs = [nn.Conv2d(1, 1, 1) for _ in range(2)]\n",
        "base.py": "from torch import nn\nclass Base(nn.Module):\n    pass\n",
    }
    assert check(files, select=["TP205"]) == [(5, 9, "TP205")]
    files["base.py"] = "class Base:\n    pass\n"
    assert check(files, select=["TP205"]) == []


def test_parameters_that_the_class_optimizes_itself() -> None:
    source = (
        "import torch\nfrom torch import nn\nclass Explainer(nn.Module):\n    def fit(self, x):\n"
        "        self.masks = [nn.Parameter(torch.ones(2)) for _ in x]\n"
        "        found = [mask for mask in self.masks]\n        return torch.optim.Adam({})\n"
    )
    assert check(source.format("found"), select=["TP205"]) == []
    assert check(source.format("self.parameters()"), select=["TP205"]) == [(5, 9, "TP205")]
