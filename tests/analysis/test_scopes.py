"""Which assignments reach a use of a name."""
from __future__ import annotations

import textwrap

import pytest
from astroid import nodes

from flake8_torch_pitfalls.analysis.scopes import definitions
from flake8_torch_pitfalls.analysis.tree import parse

PROGRAMS = {
    "the last one before it": ("x = 1\nx = 2\nuse(x)", [2]),
    "either branch": ("if c:\n    x = 1\nelse:\n    x = 2\nuse(x)", [4, 2]),
    "not the other branch": ("x = 0\nif c:\n    x = 1\nelse:\n    use(x)", [1]),
    "not its own statement": ("x = 1\nx = use(x)", [1]),
    "a loop brings the later one round": ("x = 0\nfor i in r:\n    use(x)\n    x = 1", [1, 4]),
    "a loop brings its own statement round": ("x = 0\nfor i in r:\n    x = use(x)", [1, 3]),
    "renewed in each pass": ("for i in r:\n    x = 0\n    use(x)\n    x = 1", [2]),
    "renewed in each pass of the inner loop": (
        "x = 0\nfor i in r:\n    x = 1\n    for j in r:\n        use(x)\n        x = 2", [3, 6]
    ),
    "a parameter, and what the loop makes of it": ("def f(x):\n    for i in r:\n        use(x)\n        x = 1", [1, 4]),
    "the loop's own variable": ("for x in r:\n    use(x)\n    x = 1", [1]),
}  # fmt: skip


@pytest.mark.parametrize("text, lines", PROGRAMS.values(), ids=PROGRAMS)
def test_definitions(text: str, lines: list[int]) -> None:
    module = parse(textwrap.dedent(text), "", "a.py")
    [use] = (call.args[0] for call in module.index.of(nodes.Call) if call.func.as_string() == "use")
    assert [node.lineno for node in definitions(use, "x")] == lines
