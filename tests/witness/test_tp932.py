"""TP932: composed by hand the values underflow, round away or overflow; computed at once they do not."""
from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

FAR = torch.tensor([[0.0, 200.0]])
SMALL = torch.tensor([1e-10])
LARGE = torch.tensor([100.0, 100.0])


@pytest.mark.parametrize(
    "by_hand, stable",
    [
        (torch.log(torch.softmax(FAR, 1)), F.log_softmax(FAR, 1)),
        (torch.log(torch.sigmoid(-FAR)), F.logsigmoid(-FAR)),
        (torch.log(1 + torch.exp(LARGE)), F.softplus(LARGE)),
        (torch.log(torch.exp(LARGE).sum()), torch.logsumexp(LARGE, 0)),
    ],
)
def test_overflow(by_hand: torch.Tensor, stable: torch.Tensor) -> None:
    assert not by_hand.isfinite().all()
    assert stable.isfinite().all()


def test_rounded_away() -> None:
    assert torch.log(1 + SMALL) == 0 and torch.exp(SMALL) - 1 == 0
    assert torch.allclose(torch.log1p(SMALL), SMALL) and torch.allclose(torch.expm1(SMALL), SMALL)


def test_gradient_of_the_logarithm() -> None:
    logits = torch.tensor([[0.0, 200.0]], requires_grad=True)
    torch.log(torch.softmax(logits, 1))[0, 0].backward()
    assert logits.grad is not None and logits.grad.isnan().any()
