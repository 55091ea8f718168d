"""TP203 on real torch: what training in eval mode leaves out."""
from __future__ import annotations

import torch
from torch import nn


def train(net, restore):
    torch.manual_seed(0)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    net.train()
    modes = []
    for _ in range(3):
        x = torch.randn(16, 4) + 3
        modes.append(net.training)
        optimizer.zero_grad()
        net(x).pow(2).mean().backward()
        optimizer.step()
        net.eval()
        with torch.no_grad():
            net(x)
        if restore:
            net.train()
    return modes


def test_eval_mode_lasts():
    assert train(nn.Linear(4, 2), restore=False) == [True, False, False]
    assert train(nn.Linear(4, 2), restore=True) == [True, True, True]


def test_running_statistics_stay_those_of_the_first_step():
    stuck, fed = nn.BatchNorm1d(4), nn.BatchNorm1d(4)
    train(stuck, restore=False)
    train(fed, restore=True)
    assert stuck.num_batches_tracked == 1
    assert fed.num_batches_tracked == 3


def test_dropout_drops_nothing_any_more():
    net = nn.Sequential(nn.Linear(4, 2), nn.Dropout(0.5))
    train(net, restore=False)
    assert torch.equal(net[1](torch.ones(100)), torch.ones(100))
    train(net, restore=True)
    assert not torch.equal(net[1](torch.ones(100)), torch.ones(100))
