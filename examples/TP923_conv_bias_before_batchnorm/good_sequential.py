"""No bias, something in between, another norm, a batch norm that may be missing."""
from torch import nn


def block(channels: int, norm: bool) -> nn.Sequential:
    layers: list[nn.Module] = [nn.Conv2d(channels, channels, 3)]
    if norm:
        layers.append(nn.BatchNorm2d(channels))
    layers.append(nn.ReLU())
    return nn.Sequential(*layers)


def stem(channels: int, norm: bool) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(3, channels, 3, bias=False),
        nn.BatchNorm2d(channels),
        nn.Conv2d(channels, channels, 3, bias=not norm),
        nn.BatchNorm2d(channels),
        nn.Conv2d(channels, channels, 3),
        nn.ReLU(),
        nn.BatchNorm2d(channels),
        nn.Conv2d(channels, channels, 3),
        nn.GroupNorm(4, channels),
    )
