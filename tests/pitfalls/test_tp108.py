"""TP108: which expressions give a leaf, and who asks for its gradient."""
from __future__ import annotations

import textwrap

import pytest
from support import check

HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import nn, optim\n"


def found(body: str) -> list[tuple[int, int]]:
    """Return line, counted without the imports, and column of what is found in *body*."""
    return [(line - 3, column) for line, column, _ in check(HEAD + textwrap.dedent(body), ["TP108"])]


MADE = {
    "torch.randn(3, requires_grad=True).cuda()": True,
    "torch.randn(3, requires_grad=True).to('cuda:0')": True,
    "torch.randn(3, requires_grad=True).to(torch.device('cuda' if torch.cuda.is_available() else 'cpu'))": True,
    "torch.randn(3, requires_grad=True).to(torch.float64)": True,
    "torch.randn(3, requires_grad=True).to(dtype=torch.half)": True,
    "torch.randn(3, requires_grad=True) * 2": True,
    "torch.randn(6, requires_grad=True).view(2, 3)": True,
    "F.relu(torch.randn(3, requires_grad=True))": True,
    "nn.Linear(3, 3)(torch.randn(3))": True,
    "torch.randn(3, requires_grad=True).cuda().float()": True,
    "torch.randn(3, requires_grad=True)": False,
    "torch.randn(3, requires_grad=True).cpu()": False,
    "torch.randn(3, requires_grad=True).to('cpu')": False,
    "torch.randn(3, requires_grad=True).float()": False,
    "torch.randn(3, requires_grad=True, device='cuda').cuda()": False,
    "torch.randn(3, requires_grad=True, dtype=torch.double).double()": False,
    "torch.randn(3).cuda().requires_grad_()": False,
    "torch.randn(3, requires_grad=True).cuda().detach().requires_grad_()": False,
    "torch.randn(3) * 2": False,
    "load()": False,
}


@pytest.mark.parametrize("made", MADE)
def test_gradients_that_are_read(made: str) -> None:
    expected = [(3, 15)] if MADE[made] else []
    assert found(f"def f(load, n):\n    x = {made}; (x ** n).sum().backward()\n    return n, x.grad\n") == expected


@pytest.mark.parametrize("made", MADE)
def test_tensors_that_are_optimized(made: str) -> None:
    expected = [(3, 24)] if MADE[made] else []
    assert found(f"def f(load):\n    x = {made}\n    return optim.Adam([x])\n") == expected


@pytest.mark.parametrize(
    "line",
    ["x.retain_grad()", "x.register_hook(print)", "x = x.detach().requires_grad_()", "x = n", "for x in n: pass"],
)
def test_what_makes_it_right(line: str) -> None:
    start = "def f(n):\n    x = torch.randn(3, requires_grad=True) * 2\n"
    text = start + "    {}\n    x.sum().backward()\n    return x.grad\n"
    assert found(text.format("pass")) == [(5, 12)]
    assert found(text.format(line)) == []


def test_one_finding_for_each_variable() -> None:
    text = """\
    def f():
        x = torch.randn(3, requires_grad=True).cuda()
        for _ in range(3):
            x.sum().backward()
            with torch.no_grad():
                x -= x.grad
            x.grad.zero_()
    """
    assert found(text) == [(6, 18)]
