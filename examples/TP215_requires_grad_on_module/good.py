"""Parameters are frozen by name, modules by their method; settings of one's own stay settings."""
import torch
from torch import nn


class Gate(nn.Module):
    """Freezes its scale when told to."""

    def __init__(self, requires_grad: bool = True) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.requires_grad = requires_grad

    def forward(self, x):
        return x * (self.scale if self.requires_grad else self.scale.detach())


class Switch(nn.Linear):
    """A layer whose attribute does what it says."""

    @property
    def requires_grad(self) -> bool:
        return self.weight.requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self.requires_grad_(value)


class Scheduled(torch.optim.SGD):
    """An optimizer that keeps its rate at hand."""

    def __init__(self, params) -> None:
        super().__init__(params, lr=0.1)
        self.lr = 0.1


class Config:
    lr = 0.1
    require_grad = False


net = nn.Sequential(nn.Linear(4, 4), Switch(4, 2))
net[0].weight.requires_grad = False
net[1].requires_grad = False
net.requires_grad_(False)
for parameter in net.parameters():
    parameter.requires_grad = True

image = torch.rand(3)
image.requires_grad = True

optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for group in optimizer.param_groups:
    group["lr"] = 0.01

rated = torch.optim.SGD(net.parameters(), lr=0.1)
rated.lr = 0.1
for group in rated.param_groups:
    group["lr"] = rated.lr / 2

config = Config()
config.lr, config.require_grad = 0.2, True
Scheduled(net.parameters()).lr = 0.2


def unknown(thing):
    thing.requires_grad = False
    thing.encoder.requires_grad = False


unknown(Gate(False).scale)
