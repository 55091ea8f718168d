"""TP911 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch.autograd import detect_anomaly, set_detect_anomaly\n"


@pytest.mark.parametrize(
    "text, column",
    [
        ("set_detect_anomaly(mode=True)", 1),
        ("with set_detect_anomaly(True): pass", 6),
        ("def f():\n    with detect_anomaly(check_nan=False): pass", 10),
        ("if __name__ == '__main__': torch.autograd.set_detect_anomaly(True)", 28),
    ],
)
def test_on(text: str, column: int) -> None:
    assert [place for _, place, _ in check(HEAD + text, ["TP911"])] == [column]


@pytest.mark.parametrize(
    "text",
    [
        "set_detect_anomaly(False)",
        "set_detect_anomaly(debug)",
        "if debug: set_detect_anomaly(True)",
        "debug and set_detect_anomaly(True)",
        "other.set_detect_anomaly(True)",
    ],
)
def test_off_or_optional(text: str) -> None:
    assert check(HEAD + text, ["TP911"]) == []


def test_is_advice() -> None:
    assert check(HEAD + "set_detect_anomaly(True)", ["TP0"]) == []
