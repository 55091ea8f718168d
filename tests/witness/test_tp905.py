"""TP905: a requirement without a version is met by every torch."""
from __future__ import annotations

import pytest

requirements = pytest.importorskip("packaging.requirements")


@pytest.mark.parametrize("version", ["1.0", "2.5", "99.0"])
def test_any_version_will_do(version: str) -> None:
    assert version in requirements.Requirement("torch").specifier


def test_a_version_keeps_others_out() -> None:
    pinned = requirements.Requirement("torch>=2.4,<3").specifier
    assert "2.13.0" in pinned and "1.0" not in pinned and "99.0" not in pinned
