"""TP123: methods that are named but not called."""
from __future__ import annotations

import torch
from torch import nn


def trained(called: bool) -> tuple[float, bool]:
    """Return the weight after one step on the loss ``2 * weight``, from 1.0, and the module's mode."""
    net = nn.Linear(1, 1, bias=False)
    nn.init.ones_(net.weight)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.25)
    loss = net(torch.tensor([2.0])).sum()
    if called:
        loss.backward()
        optimizer.step()
        net.eval()
    else:
        loss.backward
        optimizer.step
        net.eval
    return net.weight.item(), net.training


def test_nothing_happens() -> None:
    assert trained(called=False) == (1.0, True)


def test_called_they_work() -> None:
    assert trained(called=True) == (0.5, False)


def test_gradients_stay() -> None:
    weight = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=0.25)
    (2.0 * weight).backward()
    optimizer.zero_grad
    assert weight.grad is not None
    optimizer.zero_grad()
    assert weight.grad is None
