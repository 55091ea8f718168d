"""TP916 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch.optim import Adam as Optimizer\n"


@pytest.mark.parametrize(
    "text, column",
    [
        ("Optimizer(w, weight_decay=1e-4)", 1),
        ("o = torch.optim.Adam(w, 1e-3, (0.9, 0.99), 1e-8, 0.1)", 5),
        ("torch.optim.Adam(w, weight_decay=0.1, decoupled_weight_decay=False)", 1),
    ],
)
def test_decays(text: str, column: int) -> None:
    assert check(HEAD + text, ["TP916"]) == [(3, column, "TP916")]


@pytest.mark.parametrize(
    "text",
    ["Optimizer(w, weight_decay=0.0)", "Optimizer(w, weight_decay=args.wd)", "Adam(w, weight_decay=0.1)",
     "torch.optim.Adamax(w, weight_decay=0.1)", "Optimizer(w, weight_decay=0.1, decoupled_weight_decay=d)"],
)  # fmt: skip
def test_silent(text: str) -> None:
    assert check(HEAD + text, ["TP916"]) == []
