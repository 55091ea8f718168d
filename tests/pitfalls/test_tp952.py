"""TP952 beyond its examples."""
from __future__ import annotations

import pytest
from support import codes

HEAD = "from torch.utils.data import DataLoader\ndef f(data, epochs, options):\n"
LOOP = "\n    for epoch in epochs:\n        for batch in loader:\n            use(batch)"


@pytest.mark.parametrize(
    "given, expected",
    [
        ("num_workers=2", ["TP952"]),
        ("num_workers=0", []),
        ("num_workers=2, persistent_workers=False", []),
        ("num_workers=2, persistent_workers=epochs", []),
        ("num_workers=2, **options", []),
        ("**{'num_workers': 2}", ["TP952"]),
        ("", []),
    ],
)
def test_options(given: str, expected: list[str]) -> None:
    assert codes(f"{HEAD}    loader = DataLoader(data, {given}){LOOP}", ["TP952"]) == expected


def test_one_pass() -> None:
    text = f"{HEAD}    loader = DataLoader(data, num_workers=2)\n    for batch in loader:\n        use(batch)"
    assert codes(text, ["TP952"]) == []
