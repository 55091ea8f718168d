"""TP214 on real torch: numbers that are no probabilities."""
from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import nn


@pytest.mark.parametrize("activation", [nn.Identity(), nn.Tanh(), nn.ReLU(), nn.LogSoftmax(dim=0), nn.LogSigmoid()])
def test_a_number_out_of_range_raises(activation):
    scores = torch.tensor([-2.0, 3.0])
    with pytest.raises(RuntimeError, match="between 0 and 1"):
        nn.BCELoss()(activation(scores), torch.tensor([0.0, 1.0]))


@pytest.mark.parametrize("bounded", [nn.Sigmoid(), nn.Softmax(dim=0), nn.Hardtanh(0, 1)])
def test_what_lies_in_range_does_not(bounded):
    assert F.binary_cross_entropy(bounded(torch.tensor([-2.0, 3.0])), torch.tensor([0.0, 1.0])).isfinite()


def test_the_other_loss_takes_scores():
    scores, wanted = torch.tensor([-2.0, 3.0]), torch.tensor([0.0, 1.0])
    torch.testing.assert_close(
        F.binary_cross_entropy_with_logits(scores, wanted), F.binary_cross_entropy(scores.sigmoid(), wanted)
    )
