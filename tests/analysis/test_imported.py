"""Statements of imported modules become trees on demand, where they stood."""
from __future__ import annotations

import pytest

from flake8_torch_pitfalls.analysis.imported import ImportedModule
from flake8_torch_pitfalls.analysis.tree import position

TEXT = '''\
"""A module."""
import os; import sys as system

@decorated(
    by=os)
class First:
    def method(self):
        return """
        text"""


a = 1; b = 2; c = (3,
    4); d = 5
if a:
    e = 6
async def last(): pass
'''


@pytest.mark.parametrize(
    "name, place, text",
    [
        ("os", (2, 0), "import os"),
        ("system", (2, 11), "import sys as system"),
        ("First", (6, 0), "First"),
        ("a", (12, 0), "a"),
        ("b", (12, 7), "b"),
        ("c", (12, 14), "c"),
        ("d", (13, 8), "d"),
        ("e", (15, 4), "e"),
        ("last", (16, 0), "last"),
    ],
)
def test_places(name: str, place: tuple[int, int], text: str) -> None:
    [node] = ImportedModule(TEXT, "module", "module.py", False).locals[name]
    assert position(node) == place
    assert getattr(node, "name", node.as_string()) == text


def test_methods_of_what_mentions_a_word() -> None:
    module = ImportedModule(TEXT, "module", "module.py", False)
    assert module.reaching(frozenset({"decorated"})) == {"First": ("method",)}


def test_the_whole() -> None:
    module = ImportedModule(TEXT, "module", "module.py", False)
    assert [node.name for kind in module.index.by_type.values() for node in kind if hasattr(node, "bases")] == ["First"]
    assert len(module.body) == 10
