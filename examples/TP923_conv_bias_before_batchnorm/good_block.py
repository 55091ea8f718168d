"""A convolution whose result is used twice, one with an activation behind it, one that a base may replace."""
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.shared = nn.Conv2d(channels, channels, 3, padding=1)
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.skip = nn.Conv2d(channels, channels, 1, bias=False)
        self.bn = nn.BatchNorm2d(channels)
        self.bn2 = nn.BatchNorm2d(channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.bn(self.shared(x)) + self.shared(x.flip(-1))
        return self.bn2(torch.relu(self.conv(h))) + self.bn2(self.skip(x))
