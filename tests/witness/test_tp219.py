"""TP219 module-built-in-forward: new weights in every call, and no parameters to train."""
from __future__ import annotations

import torch
from torch import nn


class Anew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.linear = nn.Linear(4, 4)
        return self.linear(x)


class Unnamed(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.Linear(4, 4)(x)


class Once(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x)


class Dropped(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.Dropout(0.5)(x)


def test_two_calls_give_two_results() -> None:
    x = torch.ones(1, 4)
    for net in (Anew(), Unnamed()):
        assert not torch.equal(net(x), net(x))
    net = Once()
    assert torch.equal(net(x), net(x))


def test_nothing_to_train() -> None:
    assert list(Unnamed().parameters()) == []
    net = Anew()
    net(torch.ones(1, 4))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net(torch.ones(1, 4)).sum().backward()
    before = net.linear.weight.detach().clone()
    optimizer.step()
    assert torch.equal(net.linear.weight, before), "the optimizer holds the layer of the call before"


def test_eval_does_not_reach_a_dropout_built_in_forward() -> None:
    x = torch.ones(1000)
    assert (Dropped().eval()(x) == 0).any()
    assert torch.equal(nn.Dropout(0.5).eval()(x), x)
