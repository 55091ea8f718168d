"""TP220 on real torch: what the losses on log-probabilities make of other numbers."""
from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import nn


@pytest.fixture
def scores():
    torch.manual_seed(0)
    return torch.randn(4, 5)


def test_the_divergence_of_a_distribution_from_itself_is_zero_only_in_logarithms(scores):
    p = scores.softmax(1)
    divergence = nn.KLDivLoss(reduction="batchmean")
    assert abs(divergence(p.log(), p).item()) < 1e-6
    assert divergence(p, p).item() < -1
    assert F.kl_div(100 * scores.relu(), p, reduction="batchmean").item() < -50


def test_on_probabilities_the_gradient_knows_nothing_of_the_prediction(scores):
    target = torch.tensor([[0.7, 0.2, 0.1]])
    for guess in ([0.7, 0.2, 0.1], [0.1, 0.1, 0.8]):
        p = torch.tensor([guess], requires_grad=True)
        F.kl_div(p, target, reduction="sum").backward()
        torch.testing.assert_close(p.grad, -target)


def test_logarithms_or_scores_as_the_target_give_nan(scores):
    log_p = scores.log_softmax(1)
    assert F.kl_div(log_p, log_p, reduction="batchmean").isnan()
    assert F.kl_div(log_p, scores, reduction="batchmean").isnan()
    assert F.kl_div(log_p, log_p, reduction="batchmean", log_target=True).item() == 0


def test_probabilities_as_a_target_in_logarithms_are_no_divergence(scores):
    log_p = scores.log_softmax(1)
    assert F.kl_div(log_p, log_p.exp(), reduction="batchmean", log_target=True).item() > 1


@pytest.mark.parametrize("given", [lambda scores: scores + 30, lambda scores: scores.softmax(2)], ids=["scores", "softmax"])
def test_ctc_is_negative_on_scores_and_probabilities(given):
    torch.manual_seed(0)
    scores = torch.randn(6, 1, 4)
    rest = torch.tensor([[1, 2]]), torch.tensor([6]), torch.tensor([2])
    assert F.ctc_loss(scores.log_softmax(2), *rest).item() > 0
    assert nn.CTCLoss()(given(scores), *rest).item() < 0


def test_a_variance_below_zero_raises(scores):
    with pytest.raises(ValueError, match="var has negative entry"):
        nn.GaussianNLLLoss()(scores, scores, scores)
    assert F.gaussian_nll_loss(scores, scores, F.softplus(scores)).isfinite()
