"""TP306 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\nx = torch.rand(2, 3)\n"


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 4, column) for line, column, _ in check(HEAD + text, ["TP306"])]


@pytest.mark.parametrize(
    "text, place",
    [
        ("y = F.softmax(x)", (1, 5)),
        ("y = nn.functional.log_softmax(input=x)", (1, 5)),
        ("from torch.nn import Softmax as S\nS()(x)", (2, 1)),
        ("soft = F.softmin\nsoft(x, dtype=torch.float64)", (2, 1)),
        ("F.softmax(x, None)", (1, 1)),
        ("nn.modules.activation.LogSoftmax()", (1, 1)),
    ],
)
def test_guessed(text: str, place: tuple[int, int]) -> None:
    assert found(text) == [place]


@pytest.mark.parametrize(
    "text",
    [
        "F.softmax(x, 0)",
        "F.softmax(x, dim=-1)",
        "F.softmax(x, dim=d)",
        "def softmax(x, dim=None): return F.softmax(x, dim=dim)",
        "nn.Softmax(*a)",
        "nn.Softmax(**k)",
        "F.gumbel_softmax(x)",
        "nn.Softmax2d()",
        "tf.nn.softmax(x)",
        "from scipy.special import softmax\nsoftmax(x)",
    ],
)
def test_said_or_not_torchs(text: str) -> None:
    assert found(text) == []
