"""Instances, factories that are called, containers that take functions."""
from functools import partial

import pytest
import torch
import torch.nn.functional as F
from torch import nn


class Swish(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(x)


def block(width: int, norm_layer=nn.LayerNorm, act=F.relu) -> nn.Module:
    del act
    return nn.Sequential(nn.Linear(width, width), norm_layer(width), Swish())


def stack(width: int, activation: nn.Module, skip=None) -> nn.Module:
    make = partial(block, width)
    layers = [make(), activation]
    layers.append(block(width))
    return nn.Sequential(*layers, nn.Flatten(), skip)


class Compose:
    """Applies functions one after the other."""

    def __init__(self, functions):
        self.functions = functions

    def __call__(self, x):
        for function in self.functions:
            x = function(x)
        return x


class Shaped(nn.Sequential):
    """Builds its layers itself: it is given classes."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width

    def append(self, layer, *args):
        return super().append(layer(self.width, *args))


shaped = Shaped(8)
shaped.append(nn.Linear, 8)
shaped.append(nn.LayerNorm)

net = nn.Sequential(stack(8, nn.ReLU()), nn.ModuleList([nn.Identity() for _ in range(3)])[0])
squash = Compose([F.relu, torch.tanh, lambda x: x + 1])
acts = {"relu": F.relu, "tanh": torch.tanh}
names = [nn.ReLU, nn.Tanh]
kinds = nn.ModuleList([cls() for cls in names])


def test_that_functions_are_refused():
    with pytest.raises(TypeError):
        nn.Sequential(F.relu)
