"""TP303 beyond its examples."""
from __future__ import annotations

import pytest
from support import check


@pytest.mark.parametrize(
    "text, column",
    [
        ("torch.as_strided(x, (2,), (1,))", 1),
        ("torch.randn(3).as_strided_((2,), (1,))", 1),
        ("y = x.view(-1).as_strided((2,), (1,))", 5),
        ("view = torch.as_strided\ny = view(x, (2,), (1,)); x.as_strided((2,), (1,))", 26),
    ],
)
def test_reported(text: str, column: int) -> None:
    assert [place for _, place, _ in check("import torch\n" + text, ["TP303"])] == [column]


@pytest.mark.parametrize(
    "text",
    ["torch.as_strided_copy(x, (2,), (1,))", "numpy.lib.stride_tricks.as_strided(x)", "f = torch.as_strided"],
)
def test_silent(text: str) -> None:
    assert check("import torch, numpy\n" + text, ["TP303"]) == []
