"""TP213: what reaches the loss that applies sigmoid itself."""
from __future__ import annotations

import textwrap

import pytest
from support import check

HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"


def found(body: str) -> list[tuple[int, int]]:
    """Return line, counted without the imports, and column of what is found in *body*."""
    return [(line - 3, column) for line, column, _ in check(HEAD + textwrap.dedent(body), ["TP213"])]


@pytest.mark.parametrize(
    "given, expected",
    [
        ("torch.sigmoid(x)", [(2, 47)]),
        ("x.sigmoid()", [(2, 47)]),
        ("F.sigmoid(x).view(-1)", [(2, 47)]),
        ("nn.Sigmoid()(x)", [(2, 47)]),
        ("F.softmax(x, dim=1)", [(2, 47)]),
        ("F.logsigmoid(x)", [(2, 47)]),
        ("x.sigmoid().clamp(1e-6, 1 - 1e-6)", [(2, 47)]),
        ("x", []),
        ("torch.logit(x.sigmoid())", []),
        ("x.sigmoid() * 10 - 5", []),
        ("x * torch.sigmoid(x)", []),
        ("torch.tanh(x)", []),
        ("F.relu(x)", []),
    ],
)
def test_what_is_given(given: str, expected: list[tuple[int, int]]) -> None:
    call = "F.binary_cross_entropy_with_logits"
    assert found(f"def step(x, y):\n    return {call}({given}, y)\n") == expected


@pytest.mark.parametrize(
    "criterion, expected",
    [
        ("nn.BCEWithLogitsLoss()", [3]),
        ("nn.BCEWithLogitsLoss(pos_weight=w).cuda()", [3]),
        ("nn.BCEWithLogitsLoss() if len(w) == 1 else nn.CrossEntropyLoss()", [3]),
        ("nn.BCEWithLogitsLoss() if w else nn.BCELoss()", []),
        ("nn.BCEWithLogitsLoss() if w else nn.MSELoss()", []),
        ("nn.BCELoss()", []),
        ("nn.CrossEntropyLoss()", []),
        ("make(w)", []),
    ],
)
def test_which_loss(criterion: str, expected: list[int]) -> None:
    text = f"def step(x, y, w):\n    criterion = {criterion}\n    return criterion(torch.sigmoid(x), y)\n"
    assert found(text) == [(line, 22) for line in expected]


FOCAL = """\
class Focal(nn.Module):
    def forward(self, scores, target):
        {squash}
        loss = F.binary_cross_entropy_with_logits(scores, target, reduction="none")
        certainty = torch.exp(-loss)
        return ((1 - certainty) ** 2 * loss).mean()
"""


@pytest.mark.parametrize("squash, expected", [("scores = torch.sigmoid(scores)", [(3, 18)]), ("pass", [])])
def test_a_loss_of_the_project(squash: str, expected: list[tuple[int, int]]) -> None:
    assert found(FOCAL.format(squash=squash)) == expected


WRAPPER = """\
class Adversarial(nn.Module):
    def __init__(self, kind="bce", smooth=False):
        super().__init__()
        if kind == "bce":
            self.loss = nn.BCEWithLogitsLoss()
        else:
            self.loss = nn.MSELoss()
    def forward(self, scores, wanted):
        return self.loss(scores, wanted)
criterion = Adversarial({arguments})
critic = nn.Sequential(nn.Linear(2, 1), nn.Sigmoid())
def step(x, y):
    criterion(critic(x), y).backward()
"""


@pytest.mark.parametrize(
    "arguments, expected",
    [("", [(11, 41)]), ("'bce'", [(11, 41)]), ("kind='least squares'", []), ("**options", []), ("options.kind", [])],
)
def test_a_loss_that_a_flag_chooses(arguments: str, expected: list[tuple[int, int]]) -> None:
    assert found(WRAPPER.format(arguments=arguments)) == expected


def test_one_sigmoid_before_two_losses_is_one_finding() -> None:
    text = """\
    def step(x, y, z):
        p = torch.sigmoid(x)
        return F.binary_cross_entropy_with_logits(p, y) + F.binary_cross_entropy_with_logits(p, z)
    """
    assert found(text) == [(2, 9)]


def test_a_loss_in_another_file() -> None:
    engine = "from torch import nn\ndef fit(net, x, y):\n    nn.BCEWithLogitsLoss()(net(x), y).backward()\n"
    text = "from torch import nn\nfrom engine import fit\nfit(nn.Sequential(nn.Linear(2, 1), nn.Sigmoid()), 1, 2)\n"
    files = {"main.py": text + "backward = 1\n", "engine.py": engine}
    assert check(files, ["TP213"]) == [(3, 36, "TP213")]
