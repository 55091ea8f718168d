"""TP924: requires_grad does not stop the running statistics; eval mode does."""
from __future__ import annotations

import torch
from torch import nn


def statistics_move(train: bool) -> bool:
    norm = nn.BatchNorm2d(2).requires_grad_(False)
    before = norm.running_mean.clone()
    nn.Sequential(norm, nn.Conv2d(2, 1, 1)).train()
    norm.train(train)
    norm(torch.rand(4, 2, 3, 3) + 5)
    return not torch.equal(before, norm.running_mean)


def test_a_frozen_batch_norm_changes_in_train_mode() -> None:
    assert statistics_move(train=True)


def test_it_does_not_in_eval_mode() -> None:
    assert not statistics_move(train=False)
