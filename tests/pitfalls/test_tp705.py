"""TP705 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nimport torch.nn as nn\nfrom torch.nn.parallel import *\nnet = nn.Linear(1, 1)\n"


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 4, column) for line, column, _ in check(HEAD + text, ["TP705"])]


@pytest.mark.parametrize(
    "text, place",
    [
        ("nn.DataParallel(net, device_ids=[0, 1])", (1, 1)),
        ("net = torch.nn.parallel.DataParallel(net).cuda()", (1, 7)),
        ("nn.parallel.data_parallel.DataParallel(net)", (1, 1)),
        ("DP = nn.DataParallel\nDP(net)", (2, 1)),
        ("wrap = nn.DataParallel if net else nn.parallel.DistributedDataParallel\nnn.DataParallel(net)", (2, 1)),
        ("class P(nn.DataParallel): pass\nP(net)", (2, 1)),
    ],
)
def test_threads(text: str, place: tuple[int, int]) -> None:
    assert found(text) == [place]


@pytest.mark.parametrize(
    "text",
    [
        "isinstance(net, nn.DataParallel)",
        "DataParallel = object\nDataParallel()",
        "from geometry import DataParallel\nDataParallel(net)",
        "nn.parallel.DistributedDataParallel(net)",
        "nn.parallel.replicate(net, [0])",
        "class P(nn.DataParallel): pass",
        "class DataParallelStrategy:\n    def wrap(self, net):\n        return nn.DataParallel(net)",
    ],
)
def test_others(text: str) -> None:
    assert found(text) == []
