"""TP915 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

SCALER = "import torch\nscaler = torch.cuda.amp.GradScaler({})\nwith torch.autocast({}):\n    f()\n"


@pytest.mark.parametrize("region", ["'cuda', dtype=torch.bfloat16", "'cpu'", "'cuda', torch.bfloat16"])
def test_bfloat16(region: str) -> None:
    assert check(SCALER.format("", region), ["TP915"]) == [(2, 10, "TP915")]


@pytest.mark.parametrize(
    "scaler, region",
    [
        ("enabled=False", "'cuda', dtype=torch.bfloat16"),
        ("enabled=half", "'cuda', dtype=torch.bfloat16"),
        ("", "'cuda', dtype=torch.float16"),
        ("", "'cuda'"),
        ("", "'cuda', dtype=dtype"),
        ("", "**options"),
        ("**options", "'cuda', dtype=torch.bfloat16"),
    ],
)
def test_silent(scaler: str, region: str) -> None:
    assert check(SCALER.format(scaler, region), ["TP915"]) == []


def test_no_autocast() -> None:
    assert check("import torch\nscaler = torch.amp.GradScaler()\n", ["TP915"]) == []
