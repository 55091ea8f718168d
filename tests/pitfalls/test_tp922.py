"""TP922 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\nopt = torch.optim.SGD(w, 0.1)\n"


@pytest.mark.parametrize(
    "text",
    [
        "F.mse_loss(net(x), y, reduction='sum').backward()",
        "f = nn.MSELoss(reduction='sum'); f(net(x), y).backward()",
        "l = F.mse_loss(net(x), y, reduction='sum') + 0.5 * p.sum(); l.backward()",
    ],
)
def test_sums(text: str) -> None:
    assert [(line, code) for line, _, code in check(HEAD + text, ["TP922"])] == [(5, "TP922")]


@pytest.mark.parametrize(
    "text",
    [
        "(F.mse_loss(net(x), y, reduction='sum') / n).backward()",
        "l = F.mse_loss(net(x), y, reduction='sum'); l /= n; l.backward()",
        "F.mse_loss(net(x), y, reduction='sum').div(n).backward()",
        "F.mse_loss(net(x), y, reduction='mean').backward()",
        "F.mse_loss(net(x), y, reduction=how).backward()",
        "total = F.mse_loss(net(x), y, reduction='sum').item(); loss.backward()",
    ],
)
def test_silent(text: str) -> None:
    assert check(HEAD + text, ["TP922"]) == []
