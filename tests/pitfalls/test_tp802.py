"""TP802 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

OP = """\
import torch
@torch.library.custom_op("a::f", mutates_args={})
def f(x: torch.Tensor) -> {}: ...
"""


def found(after: str = "", mutates: str = "()", returns: str = "torch.Tensor") -> list[tuple[int, int]]:
    return [(line, column) for line, column, _ in check(OP.format(mutates, returns) + after, ["TP802"])]


@pytest.mark.parametrize(
    "after",
    [
        "",
        "@torch.library.register_fake('a::other')\ndef _(x): ...",
        "@f.register_autograd\ndef _(x): ...",
        "@torch.library.custom_op('a::g', mutates_args=())\n"
        "def g(x: torch.Tensor) -> torch.Tensor: ...\n@g.register_fake\ndef _(x): ...",
    ],
)
def test_without(after: str) -> None:
    assert found(after) == [(2, 2)]


@pytest.mark.parametrize(
    "after",
    [
        "@f.register_fake\ndef _(x): ...",
        "@torch.library.register_fake('a::f')\ndef _(x): ...",
        "@torch.library.impl_abstract('a::f')\ndef _(x): ...",
        "torch.library.register_fake(f, lambda x: x)",
        "for name in NAMES: torch.library.register_fake(name)(make(name))",
        "for op in (f,): op.register_fake(same)",
        "torch.library.impl('a::f', 'Meta')(same)",
    ],
)
def test_with(after: str) -> None:
    assert found(after) == []


def test_mutating() -> None:
    assert found(mutates="{'x'}", returns="None") == []
    assert found(mutates="{'x'}") == [(2, 2)]
    assert found(mutates="WHICH") == []
