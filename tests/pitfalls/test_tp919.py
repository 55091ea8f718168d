"""TP919 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch.autograd import grad\nxs = torch.rand(9, 3)\n"


@pytest.mark.parametrize(
    "loop, output",
    [
        ("for x in xs", "net(x).sum()"),
        ("for i, x in enumerate(xs)", "net(x).sum()"),
        ("for i in range(len(xs))", "net(xs[i]).sum()"),
        ("for i in range(xs.size(0))", "net(xs[i]).sum()"),
    ],
)
def test_samples(loop: str, output: str) -> None:
    assert check(HEAD + f"{loop}:\n    g = grad({output}, w)\n", ["TP919"]) == [(5, 9, "TP919")]


@pytest.mark.parametrize(
    "loop, output",
    [
        ("for x in loader", "net(x).sum()"),
        ("for i in range(9)", "net(xs[i]).sum()"),
        ("for i in range(xs.size(1))", "net(xs[:, i]).sum()"),
        ("for x in xs", "net(xs).sum()"),
    ],
)
def test_other_loops(loop: str, output: str) -> None:
    assert check(HEAD + f"{loop}:\n    g = grad({output}, w)\n", ["TP919"]) == []


@pytest.mark.parametrize("more, count", [("n = w.grad.norm()", 1), ("n = 0", 0), ("n = w.grad.norm(); opt.step()", 0)])
def test_backward(more: str, count: int) -> None:
    assert len(check(HEAD + f"for x in xs:\n    net(x).sum().backward()\n    {more}\n", ["TP919"])) == count
