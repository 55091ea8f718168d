"""In-place changes of what no op has saved."""
import torch
import torch.nn.functional as F
from torch import nn


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm = nn.BatchNorm2d(channels)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        identity = x
        out = self.relu(self.norm(self.conv(x)))
        out = self.norm(self.conv(out))
        out += identity
        return self.relu(out)


class OutOfPlace(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        out = F.relu(self.conv(x))
        out = out + x
        gate = torch.sigmoid(out).clone()
        gate[:, 0] = 1.0
        return out * gate


class SavesNothing(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        y = self.linear(x) * 2
        y[0] = 100.0
        y += 1
        y.div_(3)
        return F.leaky_relu_(y)


class Masks(nn.Module):
    def forward(self, tokens, lengths):
        mask = torch.ones(tokens.shape[:2])
        shape = mask * lengths[:, None]
        for row, length in enumerate(lengths):
            mask[row, length:] = 0
        with torch.no_grad():
            ranks = torch.exp(shape)
            ranks += 1
        return tokens * mask[..., None] + ranks[..., None]
