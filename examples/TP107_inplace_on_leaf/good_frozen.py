"""Parameters that do not require grad may be changed in place."""
import torch
from torch import nn


def identity(width):
    layer = nn.Linear(width, width)
    for parameter in layer.parameters():
        parameter.requires_grad = False
    layer.weight.copy_(torch.eye(width))
    layer.bias[:] = 0
    return layer


def freeze(module):
    for parameter in module.parameters():
        parameter.requires_grad_(False)


def constant(width):
    layer = nn.Linear(width, 1)
    freeze(layer)
    layer.weight.fill_(1 / width)
    return layer
