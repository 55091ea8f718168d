"""TP504 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch.multiprocessing as mp\nfrom torch.utils.data import DataLoader\ndata = [1, 2]\n"


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 3, column) for line, column, _ in check(HEAD + text, ["TP504"])]


@pytest.mark.parametrize(
    "text, column",
    [
        ("DataLoader(data, persistent_workers=True)", 18),
        ("DataLoader(data, 4, True, None, None, 0, persistent_workers=True)", 42),
        ("DataLoader(data, num_workers=False, prefetch_factor=2)", 37),
        ("DataLoader(data, prefetch_factor=2, persistent_workers=True)", 37),
        ("DataLoader(data, multiprocessing_context=mp.get_context('spawn'))", 18),
        ("DataLoader(data, prefetch_factor=2 if data else 4)", 18),
    ],
)
def test_refused(text: str, column: int) -> None:
    assert found(text) == [(1, column)]


@pytest.mark.parametrize(
    "text",
    [
        "DataLoader(data, num_workers=n, persistent_workers=True)",
        "DataLoader(data, 4, True, None, None, 2, persistent_workers=True)",
        "DataLoader(data, num_workers=0 if data else 2, persistent_workers=True)",
        "DataLoader(data, persistent_workers=n > 0)",
        "DataLoader(data, prefetch_factor=2 if n else None)",
        "DataLoader(data, multiprocessing_context=context)",
        "DataLoader(data, *more, persistent_workers=True)",
        "Loader(data, persistent_workers=True)",
        "DataLoader(data, timeout=0)",
    ],
)
def test_taken_or_unknown(text: str) -> None:
    assert found(text) == []


def test_what_callers_pass() -> None:
    text = "def f(n):\n    return DataLoader(data, num_workers=n, persistent_workers=True)\n"
    assert found(text + "f(0)") == [(2, 44)]
    assert found(text + "f(0)\nf(2)") == []
