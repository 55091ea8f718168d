"""TP305 across files, and in small variants."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"


def _codes(body: str) -> list[tuple[int, int, str]]:
    return [(line - 3, column, code) for line, column, code in check(HEAD + body, select=("TP305",))]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("torch.zeros(8, 1)", "torch.zeros(8)"),
        ("torch.zeros(8)", "torch.zeros(8, 1)"),
        ("torch.rand(8, 3).sum(1, keepdim=True)", "torch.rand(8, 3).sum(1)"),
        ("torch.rand(8, 3).sum(1, keepdim=True)", "torch.rand(8, 3)[:, 0]"),
        ("torch.rand(8, 3)[:, :1]", "torch.rand(8, 3).select(1, 0)"),
        ("nn.Linear(3, 1)(torch.rand(8, 3))", "torch.arange(8).float()"),
        ("nn.Linear(3, 1)(torch.rand(8, 3))", "torch.tensor([1.0, 2.0, 3.0])"),
        ("torch.rand(8, 5, 1)", "torch.rand(8, 5)"),
        ("torch.rand(8, 3) @ torch.rand(3, 1)", "torch.rand(8, 3) @ torch.rand(3)"),
        ("torch.linspace(0, 1, 9).view(-1, 1)", "torch.linspace(0, 1, 9) ** 2"),
        ("torch.rand(8, 3).max(1, keepdim=True)[0]", "torch.rand(8, 3).max(1)[0]"),
        ("torch.rand(8, 3).max(1, keepdim=True).values", "torch.max(torch.rand(8, 3), 1).values"),
    ],
)  # fmt: skip
def test_shapes_that_spread(left: str, right: str) -> None:
    assert _codes(f"p = {left}\ny = {right}\nloss = F.mse_loss(p, y)\n") == [(3, 8, "TP305")]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("torch.zeros(8, 1)", "torch.zeros(8, 1)"),
        ("torch.zeros(8, 1)", "torch.zeros(1)"),
        ("torch.zeros(8, 1)", "torch.tensor(0.0)"),
        ("torch.zeros(8, 1)", "torch.zeros(1, 8)"),
        ("torch.zeros(8, 3)", "torch.zeros(3)"),
        ("torch.zeros(8, 3)", "torch.zeros(8, 1)"),
        ("torch.zeros(1, 8)", "torch.zeros(8)"),
        ("torch.zeros(8, 1).squeeze()", "torch.zeros(8)"),
        ("torch.zeros(8, 1)", "torch.zeros(8, 1).expand(8, 4)"),
        ("torch.zeros(8, 1)", "unknown"),
        ("torch.zeros(8, 1)", "torch.tensor(unknown)"),
        ("nn.Linear(3, width)(torch.rand(8, 3))", "torch.zeros(8)"),
        ("torch.rand(n, k)", "torch.zeros(n)"),
    ],
)
def test_shapes_that_go_together(left: str, right: str) -> None:
    body = f"def f(unknown, width, n, k):\n    p = {left}\n    y = {right}\n    return F.mse_loss(p, y)\n"
    assert _codes(body) == []


@pytest.mark.parametrize(
    "call",
    [
        "nn.MSELoss()(p, y)", "F.l1_loss(p, y)", "F.smooth_l1_loss(p, y, beta=0.5)", "F.huber_loss(p, target=y)",
        "F.kl_div(p, y)", "nn.KLDivLoss(reduction='sum')(p, y)", "F.poisson_nll_loss(p, y)",
        "nn.GaussianNLLLoss()(p, y, p)", "F.hinge_embedding_loss(p, y)", "F.mse_loss(input=p, target=y)",
    ],
)  # fmt: skip
def test_losses(call: str) -> None:
    assert len(_codes(f"p, y = torch.rand(8, 1), torch.rand(8)\nz = {call}\n")) == 1


@pytest.mark.parametrize(
    ("expression", "column"),
    [
        ("((p - y) ** 2).mean()", 7), ("(p - y).pow(2).sum()", 6), ("torch.mean((p - y) ** 2)", 17),
        ("torch.mean(torch.pow(p - y, 2))", 26), ("(p - y).abs().mean()", 6), ("(p - y).square().mean().sqrt()", 6),
        ("((p - y) * (p - y)).mean()", 7), ("(p == y).sum().item()", 6), ("(p == y).float().mean()", 6),
        ("p.eq(y).sum()", 5),
    ],
)  # fmt: skip
def test_differences_and_counts(expression: str, column: int) -> None:
    assert _codes(f"p, y = torch.rand(8, 1), torch.rand(8)\nz = {expression}\n") == [(2, column, "TP305")]


@pytest.mark.parametrize(
    "expression",
    [
        "(p - y).mean()", "((p - y) ** 2).sum(-1)", "((p - y) ** 2).mean(dim=1)", "(p[:, 0, None] - y).abs().sum()",
        "(y.unsqueeze(1) - y).abs().sum()", "torch.exp(-(p - y) ** 2).mean()", "F.mse_loss(*pair)",
        "F.mse_loss(p, y, **options)", "F.binary_cross_entropy(p, y)", "((p - 1) ** 2).mean()",
    ],
)  # fmt: skip
def test_silent(expression: str) -> None:
    assert _codes(f"p, y = torch.rand(8, 1), torch.rand(8)\npair, options = (p, y), {{}}\nz = {expression}\n") == []


def test_data_set_in_another_file() -> None:
    files = {
        "a.py": """
            import torch
            from data import Prices
            from torch.utils.data import DataLoader

            model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(12, 1))
            criterion = torch.nn.MSELoss()
            for x, y in DataLoader(Prices(), batch_size=8):
                loss = criterion(model(x), y)
                good = criterion(model(x)[:, 0], y)
        """,
        "data.py": """
            import torch
            from torch.utils.data import Dataset

            class Prices(Dataset):
                def __init__(self):
                    self.rows = [[1.0] * 12] * 100
                    self.prices = [1.0] * 100
                def __len__(self):
                    return 100
                def __getitem__(self, index):
                    return torch.tensor(self.rows[index]), torch.tensor(float(self.prices[index]))
        """,
    }
    assert check(files, select=("TP305",)) == [(9, 12, "TP305")]


def test_what_a_caller_hands_over() -> None:
    body = (
        "def loss_of(p, y):\n    return F.mse_loss(p, y)\n"
        "def main():\n    return loss_of(torch.rand(8, 1), torch.rand(8))\n"
    )
    assert _codes(body) == [(2, 12, "TP305")]
    assert _codes(body.replace("rand(8))", "rand(8, 1))")) == []
