"""TP226 on real torch: what softmax and cross-entropy say about a single class."""
from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import nn


def test_the_loss_is_always_zero_and_has_no_gradient():
    scores = torch.randn(16, 1, requires_grad=True)
    loss = F.cross_entropy(scores, torch.zeros(16, dtype=torch.long))
    loss.backward()
    assert loss.item() == 0
    assert scores.grad.abs().max() == 0


def test_another_label_is_out_of_bounds():
    with pytest.raises(IndexError, match="Target 1 is out of bounds"):
        nn.CrossEntropyLoss()(torch.randn(2, 1), torch.ones(2, dtype=torch.long))


def test_a_map_with_one_channel_is_one_class():
    maps = nn.Conv2d(3, 1, 1)(torch.randn(2, 3, 4, 4))
    assert F.cross_entropy(maps, torch.zeros(2, 4, 4, dtype=torch.long)).item() == 0
    assert (nn.Softmax2d()(maps) == 1).all()


def test_softmax_over_one_score_is_one():
    steps = torch.randn(2, 5, 8)
    score = nn.Linear(8, 1)
    assert (F.softmax(score(steps), dim=-1) == 1).all()
    assert (F.log_softmax(score(steps), dim=-1) == 0).all()
    torch.testing.assert_close(F.softmax(score(steps), dim=1).sum(dim=1), torch.ones(2, 1))
    assert F.softmax(score(steps), dim=1).std() > 0


def test_one_output_learns_with_binary_cross_entropy():
    torch.manual_seed(0)
    net = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=1.0)
    x = torch.randn(64, 2)
    y = (x[:, :1] > 0).float()
    losses = []
    for _ in range(30):
        optimizer.zero_grad()
        loss = F.binary_cross_entropy_with_logits(net(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 2
