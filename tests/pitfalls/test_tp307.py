"""TP307 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import numpy as np, torch\nfrom torch import tensor\nx = torch.rand(3)\n"


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 3, column) for line, column, _ in check(HEAD + text, ["TP307"])]


@pytest.mark.parametrize(
    "text, place",
    [
        ("y = tensor(x)", (1, 5)),
        ("torch.tensor(x.mean(), requires_grad=True)", (1, 1)),
        ("torch.tensor(data=x > 1)", (1, 1)),
        ("torch.FloatTensor(x[0])", (1, 1)),
        ("x.new_tensor(x)", (1, 1)),
        ("for row in x:\n    torch.tensor(row)", (2, 5)),
        ("def f(y: torch.Tensor | None): torch.tensor(y)", (1, 32)),
        ("def f(y):\n    torch.tensor(y)\nf(x)", (2, 5)),
        ("net = torch.nn.Linear(1, 1)\ntorch.tensor(net(x))", (2, 1)),
    ],
)
def test_tensors(text: str, place: tuple[int, int]) -> None:
    assert found(text) == [place]


@pytest.mark.parametrize(
    "text",
    [
        "torch.tensor([x, x])",
        "torch.tensor(x.numpy())",
        "torch.tensor(x.shape[0] / 2)",
        "torch.tensor(x.numel() - 1)",
        "torch.tensor(float(x.sum()) / 3)",
        "torch.tensor(np.mean(x))",
        "torch.Tensor(x.size())",
        "torch.Tensor(2, 3)",
        "def f(y: torch.Tensor | np.ndarray): torch.tensor(y)",
        "def f(y: torch.Tensor):\n    assert type(y) is not list\n    torch.tensor(y)",
        "def f(y):\n    torch.tensor(y)\nf(x)\nf([1])",
        "def f(y: torch.Tensor | float):\n    if isinstance(y, float):\n        torch.tensor(0 <= y <= 1)",
        "torch.tensor(unknown(x))",
        "torch.tensor(*x)",
    ],
)
def test_others(text: str) -> None:
    assert found(text) == []


def test_a_loss_from_another_file() -> None:
    loss = "import torch.nn.functional as F\ndef distance(a, b):\n    return F.mse_loss(a, b).sqrt()\n"
    text = "import torch\nfrom losses import distance\nprint(torch.tensor(distance(1, 2)))\n"
    assert check({"a.py": text, "losses.py": loss}, ["TP307"]) == [(3, 7, "TP307")]
