"""Layers in place whose input is of no use afterwards."""
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width: int, inplace: bool = False) -> None:
        super().__init__()
        self.act = nn.ReLU(inplace=True)
        self.given = nn.ReLU(inplace=inplace)
        self.conv = nn.Conv2d(width, width, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        identity = x
        out = self.conv(x)
        new = self.act(out)
        out = self.conv(new)
        return out + identity + new

    def chosen(self, x: torch.Tensor) -> torch.Tensor:
        out = self.given(x)
        return out + x

    def renamed(self, x: torch.Tensor) -> torch.Tensor:
        y = self.act(self.conv(x))
        x = self.conv(y)
        return x + y
