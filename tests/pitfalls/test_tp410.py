"""TP410 beyond its examples."""
from __future__ import annotations

import pytest
from support import check


@pytest.mark.parametrize(
    "call",
    [
        "torch.cuda.device(1)",
        "torch.cuda.device_of(x)",
        "torch.cuda.stream(x)",
        "torch.xpu.device(1)",
        "torch.device('cuda', 0)",
        "torch.accelerator.device_index(1)",
        "select(1)",
    ],
)
def test_dropped(call: str) -> None:
    text = f"import torch\nfrom torch.cuda import device as select\ndef f(x):\n    {call}\n    return x\n"
    assert check(text, ["TP410"]) == [(4, 5, "TP410")]


@pytest.mark.parametrize(
    "statement",
    [
        "with torch.cuda.device(1): pass",
        "d = torch.device('cuda')",
        "torch.cuda.set_device(1)",
        "x.device(1)",
        "torch.cuda.device(1).__enter__()",
        "print(torch.device('cuda'))",
        "torch.cuda.Stream(1)",
        "return torch.cuda.stream(x)",
    ],
)
def test_used(statement: str) -> None:
    assert check(f"import torch\ndef f(x):\n    {statement}\n", ["TP410"]) == []
