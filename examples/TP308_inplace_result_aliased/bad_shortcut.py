"""Shortcuts around layers in place add what the layer left."""
import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.act = nn.ReLU(True)
        self.leaky = nn.LeakyReLU(0.2, inplace=True)
        self.conv = nn.Conv2d(width, width, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = self.act(x)  # expect: TP308:15
        out = self.conv(out)
        return out + x

    def shortcut(self, x: torch.Tensor) -> torch.Tensor:
        identity = x
        out = F.relu(x, inplace=True)  # expect: TP308:15
        out = self.conv(out)
        out += identity
        return out

    def gated(self, x: torch.Tensor) -> torch.Tensor:
        low = torch.relu_(x)  # expect: TP308:15
        high = self.leaky(low)  # expect: TP308:16
        return self.conv(low) * high - x
