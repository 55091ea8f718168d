"""TP311: a tensor without dimensions cannot be indexed with a number."""
from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import nn


def scalars() -> list[torch.Tensor]:
    x = torch.rand(3, 2, requires_grad=True)
    y = torch.rand(3, 2)
    return [
        x.sum(),
        x.max(),
        torch.norm(x),
        (x == y).sum(),
        F.mse_loss(x, y),
        F.mse_loss(x, y, size_average=False),
        nn.KLDivLoss(reduction="batchmean")(x.log_softmax(1), y.softmax(1)),
        torch.sum(x).mul_(-0.5),
    ]


@pytest.mark.filterwarnings("ignore")
def test_indexing_raises() -> None:
    for scalar in scalars():
        for tensor in (scalar, scalar.data, scalar.detach().cpu()):
            with pytest.raises(IndexError, match="invalid index of a 0-dim tensor"):
                tensor[0]


@pytest.mark.filterwarnings("ignore")
def test_item_gives_the_number() -> None:
    for scalar in scalars():
        assert scalar.item() == scalar.detach().item()
        assert scalar[None].shape == (1,)


def test_what_has_dimensions() -> None:
    x = torch.rand(3, 2)
    assert F.mse_loss(x, x, reduction="none")[0].shape == (2,)
    assert x.sum(1)[0].shape == ()


def test_in_place_keeps_a_scalar() -> None:
    loss = F.mse_loss(torch.rand(3), torch.rand(3))
    loss /= torch.tensor(2)
    assert loss.shape == ()
    with pytest.raises(RuntimeError):
        loss += torch.rand(3)
