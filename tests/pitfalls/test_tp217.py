"""TP217 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "from torch import nn\nm = nn.Linear(2, 2)\n"


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 2, column) for line, column, _ in check(HEAD + text, ["TP217"])]


@pytest.mark.parametrize(
    "text, place",
    [
        ("for x in data:\n    m.register_forward_hook(f)", (2, 5)),
        ("while data:\n    m.register_forward_pre_hook(f)", (2, 5)),
        ("def g(k):\n    k.register_forward_hook(f)\nfor x in data: g(m)", (2, 5)),
        ("def g(k):\n    k.register_forward_hook(f)\nfor x in data: g(k=m)", (2, 5)),
    ],
)
def test_again_and_again(text: str, place: tuple[int, int]) -> None:
    assert found(text) == [place]


@pytest.mark.parametrize(
    "text",
    [
        "m.register_forward_hook(f)",
        "for k in m.modules(): k.register_forward_hook(f)",
        "for i in range(3): m[i].register_forward_hook(f)",
        "for x in data:\n    m.register_forward_hook(f)\n    break",
        "for x in data:\n    if first: m.register_forward_hook(f)",
        "for x in data:\n    handles.append(m.register_forward_hook(f))",
        "for x in data:\n    h = m.register_forward_hook(f)\n    h.remove()",
        "for x in data:\n    with m.register_forward_hook(f): pass",
        "for x in data:\n    k = nn.Linear(2, 2)\n    k.register_forward_hook(f)",
        "def g(k):\n    k.register_forward_hook(f)\nfor k in m.children(): g(k)",
    ],
)
def test_once_each_or_removed(text: str) -> None:
    assert found(text) == []
