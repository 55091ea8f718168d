"""TP912 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nopt = torch.optim.SGD(w, 0.1)\n"


@pytest.mark.parametrize(
    "call, version, found",
    [
        ("opt.zero_grad(set_to_none=True)", (2, 13), [(3, 1, "TP912")]),
        ("opt.zero_grad(True)", (2, 0), [(3, 1, "TP912")]),
        ("opt.zero_grad(set_to_none=True)", (1, 13), []),
        ("opt.zero_grad(set_to_none=False)", (1, 13), [(3, 1, "TP912")]),
        ("opt.zero_grad()", (2, 13), []),
        ("opt.zero_grad(set_to_none=flag)", (2, 13), []),
        ("opt.zero_grad(*flags)", (2, 13), []),
        ("zero_grad(set_to_none=True)", (2, 13), []),
    ],
)
def test_calls(call: str, version: tuple[int, int], found: list[tuple[int, int, str]]) -> None:
    assert check(HEAD + call, ["TP912"], version) == found
