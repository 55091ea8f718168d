"""TP211 on real torch: what a softmax before cross-entropy costs."""
from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn


@pytest.mark.parametrize("squash", [nn.Softmax(dim=1), nn.Sigmoid()], ids=["softmax", "sigmoid"])
def test_the_loss_of_a_perfect_prediction_is_far_from_zero(squash):
    logits = torch.full((1, 10), -50.0)
    logits[0, 3] = 50.0
    target = torch.tensor([3])
    assert F.cross_entropy(logits, target).item() < 1e-6
    least = -1 + math.log(math.e + 9)
    assert F.cross_entropy(squash(logits), target).item() == pytest.approx(least, abs=1e-4)
    assert round(least, 2) == 1.46


@pytest.mark.parametrize("squash", [nn.Softmax(dim=1), nn.Sigmoid()], ids=["softmax", "sigmoid"])
def test_the_gradient_vanishes_where_the_model_is_wrong_and_sure(squash):
    def gradient(activation):
        logits = torch.tensor([[20.0, -20.0, -20.0]], requires_grad=True)
        F.cross_entropy(activation(logits), torch.tensor([1])).backward()
        return logits.grad.abs().max().item()

    assert gradient(lambda x: x) > 0.9
    assert gradient(squash) < 1e-6


def final_loss(*last):
    torch.manual_seed(0)
    x = torch.randn(60, 2)
    y = (x[:, 0] > 0).long()
    net = nn.Sequential(nn.Linear(2, 2), *last)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    for _ in range(60):
        optimizer.zero_grad()
        nn.CrossEntropyLoss()(net(x), y).backward()
        optimizer.step()
    return F.cross_entropy(net[0](x), y).item()


def test_the_same_training_gets_less_far():
    assert final_loss() < 0.8 * final_loss(nn.Softmax(dim=1))
    assert final_loss() < 0.8 * final_loss(nn.Sigmoid())


def loss_and_gradient(activation):
    torch.manual_seed(0)
    logits = torch.randn(5, 3, requires_grad=True)
    loss = F.cross_entropy(activation(logits), torch.tensor([0, 1, 2, 1, 0]))
    loss.backward()
    return loss.detach(), logits.grad


@pytest.mark.parametrize(
    "activation",
    [nn.LogSoftmax(dim=1), lambda x: x.softmax(1).log(), lambda x: F.log_softmax(x, dim=-1)],
    ids=["layer", "log of softmax", "function"],
)
def test_log_softmax_over_the_classes_changes_nothing(activation):
    torch.testing.assert_close(loss_and_gradient(activation), loss_and_gradient(lambda x: x))


def test_log_softmax_over_another_dimension_is_another_loss():
    loss, gradient = loss_and_gradient(nn.LogSoftmax(dim=0))
    right_loss, right_gradient = loss_and_gradient(lambda x: x)
    assert not torch.isclose(loss, right_loss)
    assert not torch.allclose(gradient, right_gradient)


def test_soft_targets_go_through_softmax():
    torch.manual_seed(0)
    logits = torch.randn(4, 3)
    targets = torch.randn(4, 3).softmax(dim=1)
    expected = -(targets * logits.log_softmax(dim=1)).sum(dim=1).mean()
    torch.testing.assert_close(F.cross_entropy(logits, targets), expected)
