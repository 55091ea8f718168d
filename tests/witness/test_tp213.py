"""TP213 on real torch: what a second sigmoid does."""
from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F


@pytest.mark.parametrize("label, least", [(1.0, 0.31), (0.0, 0.69)])
def test_the_loss_of_a_perfect_prediction_is_far_from_zero(label, least):
    scores = torch.tensor([50.0 if label else -50.0])
    wanted = torch.tensor([label])
    assert F.binary_cross_entropy_with_logits(scores, wanted).item() < 1e-6
    assert round(F.binary_cross_entropy_with_logits(scores.sigmoid(), wanted).item(), 2) == least
    torch.testing.assert_close(F.binary_cross_entropy(scores.sigmoid(), wanted).item(), 0.0)


def test_what_the_second_sigmoid_gives():
    twice = torch.linspace(-100, 100, 201).sigmoid().sigmoid()
    assert twice.min() == 0.5 and round(twice.max().item(), 2) == 0.73


@pytest.mark.parametrize("squash", [torch.sigmoid, lambda x: torch.stack([x, -x]).softmax(0)[0]],
                         ids=["sigmoid", "softmax"])
def test_the_gradient_vanishes_where_the_model_is_wrong_and_sure(squash):
    def gradient(activation):
        scores = torch.tensor([20.0], requires_grad=True)
        F.binary_cross_entropy_with_logits(activation(scores), torch.zeros(1)).backward()
        return scores.grad.abs().item()

    assert gradient(lambda x: x) > 0.9
    assert gradient(squash) < 1e-6


def test_after_a_logarithm_no_positive_can_be_predicted():
    scores = torch.linspace(-30, 30, 61)
    assert F.logsigmoid(scores).sigmoid().max() <= 0.5
    assert torch.stack([scores, -scores]).log_softmax(0).sigmoid().max() <= 0.5
