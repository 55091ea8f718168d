"""TP212: what reaches the loss that only picks a number."""
from __future__ import annotations

import textwrap

import pytest
from support import check

HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"


def found(body: str) -> list[tuple[int, int]]:
    """Return line, counted without the imports, and column of what is found in *body*."""
    return [(line - 3, column) for line, column, _ in check(HEAD + textwrap.dedent(body), ["TP212"])]


@pytest.mark.parametrize(
    "given, expected",
    [
        ("F.softmax(x, dim=1)", [(3, 23)]),
        ("torch.sigmoid(x)", [(3, 23)]),
        ("layer(x)", [(3, 12)]),
        ("F.relu(layer(x))", [(3, 12)]),
        ("layer(x).view(-1, 3)", [(3, 12)]),
        ("F.linear(x, layer.weight)", [(3, 12)]),
        ("x", []),
        ("F.log_softmax(layer(x), dim=1)", []),
        ("layer(x).log_softmax(1)", []),
        ("torch.log(F.softmax(x, 1))", []),
        ("torch.log(x.softmax(1) + 1e-8)", []),
        ("layer(x) - layer(x).logsumexp(1, keepdim=True)", []),
        ("F.logsigmoid(layer(x))", []),
    ],
)
def test_what_is_given(given: str, expected: list[tuple[int, int]]) -> None:
    text = f"layer = nn.Linear(2, 3)\ndef step(x, y):\n    return F.nll_loss({given}, y)\n"
    assert found(text) == expected


@pytest.mark.parametrize(
    "criterion, expected",
    [
        ("nn.NLLLoss()", [(2, 17)]),
        ("nn.NLLLoss(weight=w).cuda()", [(2, 17)]),
        ("nn.NLLLoss() if w else nn.CrossEntropyLoss()", []),
        ("nn.PoissonNLLLoss()", []),
        ("make(w)", []),
    ],
)
def test_scores_are_reported_where_the_loss_is_made(criterion: str, expected: list[tuple[int, int]]) -> None:
    text = f"def step(x, y, w):\n    criterion = {criterion}\n    return criterion(nn.Linear(2, 3)(x), y)\n"
    assert found(text) == expected


def test_a_branch_without_log_softmax() -> None:
    text = """\
    class Net(nn.Module):
        def __init__(self, flag):
            super().__init__()
            self.fc = nn.Linear(2, 3)
            self.flag = flag
        def forward(self, x):
            if self.flag:
                return F.log_softmax(self.fc(x), dim=1)
            return self.fc(x)
    def step(x, y, flag):
        F.nll_loss(Net(flag)(x), y).backward()
    """
    assert found(text) == []
    assert found(textwrap.dedent(text).replace("Net(flag)", "Net(False)")) == [(11, 5)]
    assert found(textwrap.dedent(text).replace("Net(flag)", "Net(True)")) == []


def test_a_model_in_another_file_is_reported_at_the_loss() -> None:
    model = "from torch import nn\nnet = nn.Sequential(nn.Linear(2, 3), nn.Softmax(dim=1))\n"
    text = "import torch.nn.functional as F\nfrom model import net\ndef step(x, y):\n    return F.nll_loss(net(x), y)\n"
    assert check({"main.py": text, "model.py": model}, ["TP212"]) == [(4, 12, "TP212")]
    logs = model.replace("Softmax", "LogSoftmax")
    assert check({"main.py": text, "model.py": logs}, ["TP212"]) == []
