"""TP703 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch.distributed as dist\nfrom torch.distributed import all_reduce, new_group\n"


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 2, column) for line, column, _ in check(HEAD + text, ["TP703"])]


@pytest.mark.parametrize(
    "text, place",
    [
        ("def f(x):\n    g = new_group([0, 1])\n    all_reduce(x)", (3, 5)),
        ("def f(x):\n    g = dist.new_group(ranks=[0])\n    if x:\n        dist.all_reduce(x, group=None)", (4, 9)),
        ("g = new_group([0])\nall_reduce(x)\nif __name__ == '__main__': pass", (2, 1)),
    ],
)
def test_not_passed(text: str, place: tuple[int, int]) -> None:
    assert found(text) == [place]


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    g = new_group([0, 1])\n    all_reduce(x, dist.ReduceOp.SUM, g)",
        "def f(x):\n    all_reduce(x)\n    g = new_group([0, 1])",
        "def f(x):\n    g = new_group()\n    all_reduce(x)",
        "def f(x):\n    g = new_group([0])\n    all_reduce(x, **x)",
        "def f(x):\n    g = new_group([0])\n    x.append(g)\n    all_reduce(x)",
        "g = new_group([0])\nall_reduce(x)",
        "class A:\n    def f(self, x):\n        self.g = new_group([0])\n        all_reduce(x)",
        "class A:\n    def f(self, x):\n        self._g = new_group([0])\n        all_reduce(x, group=self._g)",
    ],
)
def test_passed_or_out_of_view(text: str) -> None:
    assert found(text) == []
