"""Functions, lambdas and classes among the layers."""
from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn import Sequential

classifier = nn.Sequential(
    nn.Linear(8, 8),
    F.relu,  # expect: TP210:5
    nn.Dropout,  # expect: TP210:5
    nn.Linear(8, 2),
    lambda scores: scores.softmax(-1),  # expect: TP210:5
)


def swish(x):
    return x * torch.sigmoid(x)


def block(width: int) -> nn.Module:
    return nn.Sequential(nn.Linear(width, width), nn.ReLU())


class Encoder(nn.Module):
    def __init__(self, width: int, depth: int) -> None:
        super().__init__()
        layers = [nn.Linear(width, width)]
        for _ in range(depth):
            layers.append(nn.Linear(width, width))
            layers.append(torch.tanh)  # expect: TP210:27
        self.body = Sequential(*layers)
        self.heads = nn.ModuleList([nn.Linear(width, 1), block])  # expect: TP210:58
        self.named = nn.Sequential(OrderedDict([("fc", nn.Linear(width, 1)), ("act", swish)]))  # expect: TP210:86
        self.heads.append(nn.Identity)  # expect: TP210:27
        self.add_module("squash", F.sigmoid)  # expect: TP210:35
        self.acts = nn.ModuleDict({"relu": nn.ReLU(), "gelu": F.gelu})  # expect: TP210:63


class Stem(nn.Sequential):
    def __init__(self) -> None:
        super().__init__(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), F.relu)  # expect: TP210:65
