"""TP301 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import torch
from torch import Tensor, nn
from torch.nn import functional as F
def f(x: Tensor, xs: list[Tensor], flag, other):
"""


def found(*body: str) -> list[tuple[int, int]]:
    text = HEAD + "".join(f"    {line}\n" for line in (*body, "return x, xs, other"))
    return [(line - 4, column - 4) for line, column, _ in check(text, ["TP301"])]


@pytest.mark.parametrize(
    "line",
    [
        "x.view(-1)",
        "x.detach()",
        "x.max(1)",
        "x.split(2)",
        "x[0].clamp(0, 1)",
        "x.unsqueeze(0).clamp(0, 1)",
        "x.long()",
        "F.softmax(x, dim=1)",
        "F.relu(x, inplace=False)",
        "torch.linalg.inv(x)",
        "torch.sort(x)",
        "x.detach() if flag else None",
        "flag and x.detach()",
        "for y in xs: y.squeeze()",
    ],
)
def test_dropped(line: str) -> None:
    assert len(found(line)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "x.add_(1)",
        "x.backward()",
        "x.requires_grad_()",
        "x.register_hook(print)",
        "x.to('cuda')",
        "x.item()",
        "x.tolist()",
        "x.size(0)",
        "F.relu(x, True)",
        "F.relu(x, inplace=flag)",
        "torch.add(x, 1, out=x)",
        "torch.add(x, 1, **other)",
        "torch.rand_like(x)",
        "torch.bernoulli(x)",
        "F.batch_norm(x, x, x)",
        "nn.init.zeros_(x)",
        "torch.manual_seed(0)",
        "other.detach()",
        "F.relu(other)",
        "torch.relu(torch.ones(3))",
        "with pytest.raises(RuntimeError): x.view(7)",
        "for _ in range(9): x.matmul(x)",
    ],
)
def test_has_an_effect_or_is_unknown(line: str) -> None:
    assert found(line) == []


def test_what_nobody_reads() -> None:
    assert check(HEAD + "    y = x * 2\n    y.view(3)\n    return x\n", ["TP301"]) == []


def test_layers_in_forward() -> None:
    text = """\
    from torch import nn
    class N(nn.Module):
        def __init__(self, inplace):
            super().__init__()
            self.a, self.b = nn.Tanh(), nn.ReLU(True)
            self.c, self.d = nn.Dropout(0.1, inplace), nn.BatchNorm1d(3)
            self.fc = nn.Linear(3, 3)
        def forward(self, x):
            x = self.fc(x)
            self.a(x)
            self.b(x)
            self.c(x)
            self.d(x)
            return x
        def warm_up(self, x):
            x = self.fc(x)
            self.a(x)
            return x
    """
    assert check(text, ["TP301"]) == [(10, 9, "TP301")]


def test_displays_of_a_script() -> None:
    head = "import torch\nx = torch.ones(3)\n"
    assert check(head + "x.view(3)\nprint(x)\n", ["TP301"]) == []
    assert check(head + "x.view(3)\n\ny = x\n", ["TP301"]) == []
    assert check(head + "x.view(3)\ny = x\n", ["TP301"]) == [(3, 1, "TP301")]


def test_tensors_from_another_file() -> None:
    data = "import torch\ndef load(n):\n    return torch.rand(n, 4)\n"
    text = "import torch\nfrom data import load\ndef f():\n    x = load(3)\n    x.flatten()\n    return x\n"
    assert check({"a.py": text, "data.py": data}, ["TP301"]) == [(5, 5, "TP301")]
