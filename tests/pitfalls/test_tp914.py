"""TP914 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\nnet = nn.Linear(2, 2)\n"
BLOCK = HEAD + "with torch.autocast('cuda'):\n    "


@pytest.mark.parametrize(
    "text",
    ["y = net(x.half())", "y = net(x.to(dtype=torch.float16))", "y = F.relu(x.bfloat16())", "net.half()(x)",
     "z = x.half(); y = net(z)"],
)  # fmt: skip
def test_inside(text: str) -> None:
    assert [(line, code) for line, _, code in check(BLOCK + text, ["TP914"])] == [(6, "TP914")]


@pytest.mark.parametrize(
    "text",
    ["y = net(x.float())", "y = net(x).half()", "kept.append(x.half())", "y = net(x.to(device))", "y = other(x.half())",
     "z = x.half()\nnet(z)"],
)  # fmt: skip
def test_silent_inside(text: str) -> None:
    assert check(BLOCK + text, ["TP914"]) == []


@pytest.mark.parametrize("manager", ["torch.autocast('cuda', enabled=False)", "torch.autocast('cuda', enabled=e)", "f()"])
def test_other_regions(manager: str) -> None:
    assert check(HEAD + f"autocast = 1\nwith {manager}:\n    net(x.half())", ["TP914"]) == []
