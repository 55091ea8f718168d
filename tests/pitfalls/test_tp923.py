"""TP923 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch import nn\n"


@pytest.mark.parametrize(
    "text, found",
    [
        ("nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2))", [(3, 15, "TP923")]),
        ("nn.Sequential(nn.Conv3d(1, 2, 3, bias=True), nn.SyncBatchNorm(2))", [(3, 15, "TP923")]),
        ("nn.Sequential(nn.Conv2d(1, 2, 3, 1, 1, 1, 1, False), nn.BatchNorm2d(2))", []),
        ("nn.Sequential(nn.Conv2d(1, 2, 3, **options), nn.BatchNorm2d(2))", []),
        ("nn.Sequential(nn.Linear(1, 2), nn.BatchNorm1d(2))", []),
        ("nn.Sequential(nn.BatchNorm2d(1), nn.Conv2d(1, 2, 3))", []),
        ("nn.Sequential(nn.Conv2d(1, 2, 3), norm(2))", []),
    ],
)
def test_sequences(text: str, found: list[tuple[int, int, str]]) -> None:
    assert check(HEAD + text, ["TP923"]) == found


BLOCK = """
class Net(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.bn = {norm}
    def forward(self, x):
        {body}
"""


@pytest.mark.parametrize(
    "norm, body, count",
    [
        ("nn.BatchNorm2d(2)", "return self.bn(self.conv(x))", 1),
        ("nn.BatchNorm2d(2)", "h = self.conv(x); return self.bn(h)", 1),
        ("nn.BatchNorm2d(2)", "return self.bn(self.conv(x).relu())", 0),
        ("nn.BatchNorm2d(2)", "h = self.conv(x); return self.bn(h) + self.conv(h)", 0),
        ("nn.BatchNorm2d(2) if norm else nn.Identity()", "return self.bn(self.conv(x))", 0),
    ],
)
def test_forwards(norm: str, body: str, count: int) -> None:
    assert len(check(HEAD + BLOCK.format(norm=norm, body=body), ["TP923"])) == count


def test_a_result_that_is_also_used_without_the_norm() -> None:
    body = "h = self.conv(x); return self.bn(h) + h"
    assert check(HEAD + BLOCK.format(norm="nn.BatchNorm2d(2)", body=body), ["TP923"]) == []
