"""TP107: changes of leaves, and what only looks like one."""
from __future__ import annotations

import textwrap

import pytest
from support import check

HEAD = "import torch\nfrom torch import nn\n"


def lines(body: str) -> list[int]:
    """Return the lines of *body*, counted without the imports, that hold a finding."""
    return [line - 2 for line, _, _ in check(HEAD + textwrap.dedent(body), ["TP107"])]


@pytest.mark.parametrize(
    "change",
    ["w += 1", "w *= w", "w[0] = 1", "w[1:] -= 2", "w.add_(1)", "w.zero_()", "w.clamp_(0, 1)", "w.copy_(v)"],
)
def test_changes(change: str) -> None:
    make = "w = torch.zeros(3, requires_grad=True); v = torch.ones(3)\n"
    assert lines(make + change + "\n") == [2]
    assert lines(make + "with torch.no_grad():\n    " + change + "\n") == []
    assert lines(make.replace(", requires_grad=True", "") + change + "\n") == []


@pytest.mark.parametrize("leaf", ["nn.Parameter(torch.zeros(3))", "torch.zeros(3).requires_grad_()"])
def test_leaves(leaf: str) -> None:
    assert lines(f"w = {leaf}\nw -= 1\n") == [2]


@pytest.mark.parametrize(
    "line",
    [
        "w.data -= 1", "w.data.add_(1)", "w.detach().add_(1)", "w.grad.zero_()", "w.grad *= 2",
        "w.requires_grad_(False)", "w.detach_()", "w = w - 1",
        "w.clone().add_(1)", "nn.init.zeros_(w)", "w.grad = None",
    ],
)  # fmt: skip
def test_what_changes_no_leaf(line: str) -> None:
    assert lines(f"w = torch.zeros(3, requires_grad=True)\n{line}\n") == []


def test_frozen_parameters() -> None:
    text = """\
    def freeze(layer: nn.Linear):
        {freeze}
        layer.weight.fill_(1)
    """
    assert lines(text.format(freeze="pass")) == [3]
    assert lines(text.format(freeze="layer.weight.requires_grad = False")) == []
    assert lines(text.format(freeze="layer.requires_grad_(False)")) == []


LOOP = """\
w = torch.zeros(3, requires_grad=True)
for _ in range(3):
    (w - 1).pow(2).sum().backward()
    {update}
"""


@pytest.mark.parametrize(
    "update, expected",
    [
        ("w = w - 0.1 * w.grad", [4]),
        ("w = w - w.grad", [4]),
        ("w = w.data - 0.1 * w.grad", [4]),
        ("w = (w - 0.1 * w.grad).detach().requires_grad_(True)", []),
        ("w = torch.tensor(w - 0.1 * w.grad, requires_grad=True)", []),
        ("w = w.data - 0.1 * w.grad; w.requires_grad = True", []),
        ("w.data = w.data - 0.1 * w.grad", []),
        ("v = w - 0.1 * w.grad", []),
    ],
)
def test_updates_in_a_loop(update: str, expected: list[int]) -> None:
    assert lines(LOOP.format(update=update)) == expected


def test_an_update_of_the_variable_of_a_loop_over_parameters() -> None:
    text = """\
    def fit(net: nn.Linear, xs):
        for x in xs:
            net(x).sum().backward()
            for p in net.parameters():
                p = p - 0.1 * p.grad
    """
    assert lines(text) == [5]


def test_an_update_without_a_loop() -> None:
    assert lines("def step(w: nn.Parameter):\n    w.sum().backward()\n    w = w - w.grad\n    return w\n") == []


def test_a_helper_that_is_called_without_recording() -> None:
    text = """\
    def update(net: nn.Linear):
        for p in net.parameters():
            p -= 0.1 * p.grad
    def main(net: nn.Linear):
        with torch.no_grad():
            update(net)
    """
    assert lines(text) == []
    assert lines(textwrap.dedent(text).replace("torch.no_grad()", "torch.enable_grad()")) == [3]
