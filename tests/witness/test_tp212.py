"""TP212 on real torch: what the negative log-likelihood makes of other numbers."""
from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn


def train(activation):
    torch.manual_seed(0)
    net = nn.Linear(2, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    x = torch.randn(64, 2)
    y = (x[:, 0] > 0).long()
    for _ in range(50):
        optimizer.zero_grad()
        loss = F.nll_loss(activation(net(x)), y)
        loss.backward()
        optimizer.step()
    return loss.item()


def test_on_scores_the_loss_falls_without_end():
    assert train(lambda scores: scores) < -10
    assert train(lambda scores: scores.log_softmax(1)) > 0


def test_on_scores_a_wrong_prediction_may_cost_less_than_a_right_one():
    target = torch.tensor([0])
    right, wrong = torch.tensor([[1.0, 0.0]]), torch.tensor([[5.0, 9.0]])
    assert F.nll_loss(wrong, target) < F.nll_loss(right, target)
    assert F.cross_entropy(wrong, target) > F.cross_entropy(right, target)


def test_on_probabilities_the_gradient_vanishes_where_the_model_is_wrong_and_sure():
    def gradient(activation):
        scores = torch.tensor([[20.0, 0.0]], requires_grad=True)
        F.nll_loss(activation(scores), torch.tensor([1])).backward()
        return scores.grad.abs().max().item()

    assert gradient(lambda x: x.log_softmax(1)) > 0.9
    assert gradient(lambda x: x.softmax(1)) < 1e-6
    assert -1 <= F.nll_loss(torch.randn(9, 4).softmax(1), torch.zeros(9, dtype=torch.long)) <= 0


def test_log_softmax_before_it_is_cross_entropy():
    scores, target = torch.randn(5, 3), torch.tensor([0, 1, 2, 1, 0])
    torch.testing.assert_close(F.nll_loss(scores.log_softmax(1), target), F.cross_entropy(scores, target))
    torch.testing.assert_close(F.nll_loss(scores.softmax(1).log(), target), F.cross_entropy(scores, target))
