"""TP119 on real torch: inference tensors outside of inference mode."""
from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import nn

KEPT = "Inference tensors cannot be saved for backward"
IN_PLACE = "Inplace update to inference tensor outside InferenceMode"


@pytest.fixture
def made():
    with torch.inference_mode():
        return torch.ones(2, 2)


def weight():
    return torch.ones(2, 2, requires_grad=True)


KEEPING = {
    "linear": lambda x: nn.Linear(2, 2)(x),
    "batch norm": lambda x: nn.BatchNorm1d(2)(x),
    "mul": lambda x: weight() * x,
    "matmul": lambda x: weight() @ x,
    "mse": lambda x: F.mse_loss(weight(), x),
    "smooth l1": lambda x: F.smooth_l1_loss(weight(), x),
    "cross entropy": lambda x: F.cross_entropy(weight(), x),
    "kl": lambda x: F.kl_div(weight().log_softmax(1), x),
}
FINE = {
    "add": lambda x: weight() + x,
    "sub": lambda x: weight() - x,
    "cat": lambda x: torch.cat([weight(), x]),
    "l1": lambda x: F.l1_loss(weight(), x),
    "not recorded": lambda x: weight() * x.softmax(1),
}
SAME = {
    "itself": lambda x: x,
    "detach": lambda x: x.detach(),
    "view": lambda x: x.view(2, 2),
    "to": lambda x: x.to("cpu"),
    "float": lambda x: x.float(),
}


@pytest.mark.parametrize("keep", KEEPING.values(), ids=KEEPING)
@pytest.mark.filterwarnings("ignore:reduction")
def test_kept_for_backward(made, keep):
    with pytest.raises(RuntimeError, match=KEPT):
        keep(made)
    keep(made.clone())
    with torch.no_grad():
        keep(made)


@pytest.mark.parametrize("same", SAME.values(), ids=SAME)
def test_what_stays_an_inference_tensor(made, same):
    with pytest.raises(RuntimeError, match=KEPT):
        nn.Linear(2, 2)(same(made))


@pytest.mark.parametrize("fine", FINE.values(), ids=FINE)
def test_what_keeps_nothing(made, fine):
    fine(made).sum().backward()


def test_in_place(made):
    with pytest.raises(RuntimeError, match=IN_PLACE):
        made.add_(1)
    with pytest.raises(RuntimeError, match=IN_PLACE):
        made[0] = 1
    with torch.no_grad(), pytest.raises(RuntimeError, match=IN_PLACE):
        made.mul_(2)
    with torch.inference_mode():
        made.mul_(2)


def test_leaves(made):
    with pytest.raises(RuntimeError, match="Setting requires_grad=True"):
        made.requires_grad_()
    with pytest.raises(RuntimeError, match="Setting requires_grad=True"):
        nn.Parameter(made)


def test_no_grad_instead():
    with torch.no_grad():
        made = torch.ones(2, 2)
    made.add_(1)
    nn.Linear(2, 2)(made).sum().backward()
