"""TP220 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import torch
import torch.nn.functional as F
from torch import nn
fc = nn.Linear(8, 4)
def f(x, t, y, unknown):
    s = fc(x)
    return {}
"""


def found(loss: str) -> list[int]:
    return [column for _, column, _ in check(HEAD.format(loss), ["TP220"])]


@pytest.mark.parametrize(
    "loss, column",
    [
        ("F.kl_div(s.softmax(1), y)", 21),
        ("F.kl_div(torch.sigmoid(s), y)", 21),
        ("F.kl_div(input=F.softmax(s, dim=-1), target=y)", 27),
        ("F.kl_div(s.softmax(1) + 1e-8, y)", 21),
        ("F.kl_div(s, y)", 12),
        ("F.kl_div(F.relu(s), y)", 12),
        ("nn.KLDivLoss()(s.softmax(1), y)", 27),
        ("nn.KLDivLoss(reduction='sum')(s.log_softmax(1), t.log_softmax(1))", 60),
        ("nn.KLDivLoss(None, None, 'sum', True)(s.log_softmax(1), t.softmax(1))", 68),
        ("F.kl_div(s.log_softmax(1), s)", 12),
        ("F.kl_div(s.log_softmax(1), s, log_target=True)", 12),
        ("F.kl_div(s.log_softmax(1), t.log_softmax(1), log_target=False)", 39),
        ("F.ctc_loss(log_probs=s.softmax(2), targets=y, input_lengths=t, target_lengths=t)", 33),
        ("F.gaussian_nll_loss(x, y, s)", 12),
        ("F.gaussian_nll_loss(x, y, var=torch.tanh(s))", 12),
        ("nn.GaussianNLLLoss()(s[:, 0], y, s[:, 1])", 12),
    ],
)
def test_faults(loss: str, column: int) -> None:
    assert found(loss) == [column]


@pytest.mark.parametrize(
    "loss",
    [
        "F.kl_div(s.log_softmax(1), t.softmax(1))",
        "F.kl_div(s.softmax(1).log(), t.softmax(1))",
        "F.kl_div(s.log_softmax(1), t.log_softmax(1), log_target=True)",
        "F.kl_div(s.log_softmax(1), t.log_softmax(1), log_target=unknown)",
        "F.kl_div(s.log_softmax(1), t.log_softmax(1), **unknown)",
        "F.kl_div(s.log_softmax(1), F.relu(s))",
        "F.kl_div(unknown(s), unknown(t))",
        "F.kl_div(x, y)",
        "unknown(s.softmax(1), y)",
        "F.kl_div(s.softmax(1) if unknown else s.log_softmax(1), y)",
        "nn.KLDivLoss(log_target=unknown)(s.log_softmax(1), t.log_softmax(1))",
        "F.ctc_loss(s.log_softmax(2), y, t, t)",
        "F.gaussian_nll_loss(s, y, F.softplus(s))",
        "F.gaussian_nll_loss(s, y, s.exp())",
        "F.gaussian_nll_loss(s, y, s.clamp(min=1e-6))",
        "F.gaussian_nll_loss(s, y, 1.0)",
        "(nn.KLDivLoss() if unknown else nn.MSELoss())(s.softmax(1), y)",
    ],
)
def test_silent(loss: str) -> None:
    assert found(loss) == []


def test_through_files() -> None:
    files = {
        "train.py": """\
            from models.net import Net
            from losses import Distillation
            net, teacher = Net(), Net()
            distill = Distillation()
            def step(x):
                loss = distill(net(x), teacher(x).softmax(1))
                loss.backward()
            """,
        "models/__init__.py": "",
        "models/net.py": """\
            from torch import nn
            from .base import Base
            class Net(Base):
                def forward(self, x):
                    return self.act(self.fc(x))
            """,
        "models/base.py": """\
            from torch import nn
            class Base(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.fc = nn.Linear(8, 4)
                    self.act = nn.Softmax(dim=1)
            """,
        "losses.py": """\
            from torch import nn
            class Distillation(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.kl = nn.KLDivLoss(reduction="batchmean")
                def forward(self, student, teacher):
                    return self.kl(student, teacher)
            """,
    }
    assert check(files, ["TP220"]) == [(6, 12, "TP220")]
