"""TP214: what reaches the loss that takes probabilities."""
from __future__ import annotations

import textwrap

import pytest
from support import check

HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"


def found(body: str) -> list[tuple[int, int]]:
    """Return line, counted without the imports, and column of what is found in *body*."""
    return [(line - 3, column) for line, column, _ in check(HEAD + textwrap.dedent(body), ["TP214"])]


@pytest.mark.parametrize(
    "given, expected",
    [
        ("layer(x)", [(3, 12)]),
        ("layer(x).squeeze()", [(3, 12)]),
        ("torch.tanh(layer(x))", [(3, 12)]),
        ("F.log_softmax(x, 1)", [(3, 12)]),
        ("x", []),
        ("torch.sigmoid(layer(x))", []),
        ("layer(x).softmax(1)", []),
        ("layer(x).clamp(0, 1)", []),
        ("torch.clamp(layer(x), min=0, max=1).view(-1)", []),
        ("(torch.tanh(layer(x)) + 1) / 2", []),
        ("layer(x).exp()", []),
        ("nn.Hardsigmoid()(layer(x))", []),
        ("layer(x) / layer(x).sum()", []),
    ],
)
def test_what_is_given(given: str, expected: list[tuple[int, int]]) -> None:
    text = f"layer = nn.Linear(2, 3)\ndef step(x, y):\n    return F.binary_cross_entropy({given}, y)\n"
    assert found(text) == expected


@pytest.mark.parametrize(
    "criterion, expected",
    [
        ("nn.BCELoss()", [(2, 17)]),
        ("nn.BCELoss(reduction='none').cuda()", [(2, 17)]),
        ("nn.CrossEntropyLoss() if w else nn.BCELoss()", [(2, 49)]),
        ("nn.BCELoss() if w else nn.BCEWithLogitsLoss()", []),
        ("nn.BCELoss() if w else nn.MSELoss()", []),
        ("nn.BCEWithLogitsLoss()", []),
        ("make(w)", []),
    ],
)
def test_which_loss(criterion: str, expected: list[tuple[int, int]]) -> None:
    text = f"def step(x, y, w):\n    criterion = {criterion}\n    return criterion(nn.Linear(2, 3)(x), y)\n"
    assert found(text) == expected


@pytest.mark.parametrize("last, expected", [("nn.Linear(4, 1)", [(2, 13)]), ("nn.Sigmoid()", []), ("make()", [])])
def test_one_loss_for_two_models(last: str, expected: list[tuple[int, int]]) -> None:
    text = f"""\
    critic = nn.Sequential(nn.Linear(2, 4), {last})
    criterion = nn.BCELoss()
    def step(real, fake):
        loss = criterion(critic(real), torch.ones(1)) + criterion(critic(fake), torch.zeros(1))
        loss.backward()
    """
    assert found(text) == [(line, 13) for line, _ in expected]


def test_losses_and_models_in_other_files() -> None:
    losses = "import torch.nn.functional as F\ndef loss(p, y):\n    return F.binary_cross_entropy(p, y)\n"
    text = """\
    from torch import nn
    from losses import loss
    net = nn.Linear(2, 1)
    def step(x, y):
        loss(net(x), y).backward()
    """
    assert check({"main.py": text, "losses.py": losses}, ["TP214"]) == [(5, 5, "TP214")]
    assert check({"main.py": text.replace("net(x)", "net(x).sigmoid()"), "losses.py": losses}, ["TP214"]) == []
