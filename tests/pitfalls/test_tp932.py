"""TP932 beyond its examples."""
from __future__ import annotations

import pytest
from support import check, codes

HEAD = """\
import math
import torch
from torch.nn import functional as F
from torch import log, exp
def f(x: torch.Tensor, logger, array):
"""


@pytest.mark.parametrize(
    "expression, expected",
    [
        ("log(F.softmax(x, -1))", ["TP932"]),
        ("x.softmax(-1).log()", ["TP932"]),
        ("torch.log(torch.sigmoid(x) + 1e-8)", []),
        ("torch.log(x + 1)", ["TP932"]),
        ("torch.log(x + 2)", []),
        ("(x.exp() + 1).log()", ["TP932"]),
        ("exp(x) - 1.0", ["TP932"]),
        ("1 - exp(x)", []),
        ("exp(x) - 2", []),
        ("log(exp(x).sum(-1))", ["TP932"]),
        ("log(torch.sum(exp(x - x.max()), -1))", []),
        ("log(exp(x).mean(-1))", []),
        ("math.log(1 + 2)", []),
        ("logger.log(1 + array)", []),
        ("array.exp() - 1", []),
    ],
)
def test_compositions(expression: str, expected: list[str]) -> None:
    assert codes(HEAD + f"    return {expression}", ["TP932"]) == expected


def test_place() -> None:
    assert check(HEAD + "    return 2 * log(1 + x)", ["TP932"]) == [(6, 16, "TP932")]
