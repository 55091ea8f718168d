"""TP227 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import torch
import torch.nn.functional as F
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout2d(0.5)
        self.fc = nn.Linear(8, 8)
        self.conv = nn.Conv2d(3, 8, 3)
        self.net = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
        self.flat = nn.Flatten()
    def forward(self, x, unknown):
        {}
        return self.drop(x)
"""


def found(*lines: str) -> list[tuple[int, int, str]]:
    return check(HEAD.format("\n        ".join(lines)), ["TP227"])


@pytest.mark.parametrize(
    "value",
    [
        "torch.flatten(x, 1)",
        "torch.flatten(x, start_dim=1)",
        "x.flatten(1)",
        "x.view(-1, 320)",
        "x.reshape(x.shape[0], -1)",
        "x.reshape((x.shape[0], -1))",
        "self.flat(x)",
        "F.relu(self.fc(x.view(-1, 8)))",
        "self.net(torch.flatten(x, 1))",
        "torch.zeros(4, 8)",
        "self.conv(x).mean(dim=(2, 3))",
    ],
)
def test_flat(value: str) -> None:
    assert found(f"x = {value}") == [(14, 16, "TP227")]


@pytest.mark.parametrize(
    "value",
    [
        "x",
        "unknown(x)",
        "self.fc(x)",
        "self.conv(x)",
        "torch.flatten(x, 2)",
        "x.flatten()",
        "x.flatten(1, 2)",
        "x.view(-1, 8, 7, 7)",
        "x.view(unknown)",
        "x.view(*unknown)",
        "x.flatten(1).view(-1, 8, 7, 7)",
        "x.flatten(1)[:, :, None, None]",
        "x.flatten(1) if unknown else x",
    ],
)
def test_not_flat_or_unknown(value: str) -> None:
    assert found(f"x = {value}") == []


def test_one_path_may_keep_channels() -> None:
    assert found("if unknown:", "    x = x.flatten(1)") == []
    assert found("if unknown:", "    x = x.flatten(1)", "else:", "    x = x.view(-1, 8)") == [(17, 16, "TP227")]


def test_a_sequence_that_is_given_rows_once_only() -> None:
    text = """\
        from torch import nn
        head = nn.Sequential(nn.Linear(8, 8), nn.Dropout2d())
        def f(x):
            return head(x.flatten(1))
        """
    assert check(text) == [(2, 39, "TP227")]
    assert check(text + "    def g(x):\n                return head(x)\n".replace("    def", "        def", 1)) == []
