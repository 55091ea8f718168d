"""TP962 beyond its examples."""
from __future__ import annotations

import pytest
from support import codes

HEAD = "import torch\n"


@pytest.mark.parametrize(
    "body, expected",
    [
        ("f = torch.compile(g)\nf(x)", ["TP962"]),
        ("torch.compile(g)(x)", ["TP962"]),
        ("def main():\n    f = torch.compile(g)\n    return f(x)\nmain()", ["TP962"]),
        ("f = torch.compile(g)\nf(x)\nf(x)", []),
        ("f = torch.compile(g)\nfor x in xs:\n    f(x)", []),
        ("f = torch.compile(g)\n[f(x) for x in xs]", []),
        ("f = torch.compile(g)\nrun(f)", []),
        ("f = torch.compile(g)\ndef h(x):\n    return f(x)", []),
        ("def h(x):\n    f = torch.compile(g)\n    return f(x)", []),
        ("def h(x):\n    f = torch.compile(g)\n    return f(x)\nfor x in xs:\n    h(x)", []),
        ("def test_f():\n    f = torch.compile(g)\n    return f(x)\ntest_f()", []),
        ("f = re.compile(g)\nf(x)", []),
    ],
)
def test_programs(body: str, expected: list[str]) -> None:
    assert codes(HEAD + body, ["TP962"]) == expected
