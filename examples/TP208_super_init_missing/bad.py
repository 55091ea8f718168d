"""Modules that put something on themselves before, or without, `super().__init__()`."""
from dataclasses import dataclass

import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, width: int) -> None:  # expect: TP208:5
        self.width = width
        self.body = nn.Linear(width, width)
        self.head = nn.Linear(width, 2)

    def forward(self, x):
        return self.head(self.body(x))


class Scaled(nn.Module):
    def __init__(self, inner: nn.Module, scale: float) -> None:
        self.scale = scale
        self.inner = inner  # expect: TP208:9
        super().__init__()

    def forward(self, x):
        return self.scale * self.inner(x)


class Prior(nn.Module):
    def __init__(self, size: int) -> None:  # expect: TP208:5
        super(nn.Module, self).__init__()
        self.mean = nn.Parameter(torch.zeros(size))


class FocalLoss(nn.Module):
    def __init__(self, gamma: float = 2.0) -> None:  # expect: TP208:5
        self.gamma = gamma

    def forward(self, scores, targets):
        probability = torch.sigmoid(scores)
        return ((1 - probability) ** self.gamma * nn.functional.softplus(-scores) * targets).mean()


class Normalize(nn.Module):
    def __init__(self, mean) -> None:
        self.register_buffer("mean", torch.tensor(mean))  # expect: TP208:9
        nn.Module.__init__(self)

    def forward(self, x):
        return x - self.mean


class Built(nn.Module):
    def __init__(self, width: int) -> None:  # expect: TP208:5
        self._build(width)

    def _build(self, width: int) -> None:
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(2)])


@dataclass(eq=False)
class Residual(nn.Module):
    scale: float
    inner: nn.Module  # expect: TP208:5

    def __post_init__(self) -> None:
        super().__init__()

    def forward(self, x):
        return x + self.scale * self.inner(x)
