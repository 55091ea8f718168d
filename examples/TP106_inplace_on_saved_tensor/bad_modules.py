"""Blocks that change in place what an op of theirs still needs."""
import torch
import torch.nn.functional as F
from torch import nn


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.relu = nn.ReLU()

    def forward(self, x):
        out = self.relu(self.conv(x))
        out += x  # expect: TP106:9
        return out


class PreActivation(nn.Module):
    """The activation works in place on the input that the shortcut convolution has saved."""

    def __init__(self, channels):
        super().__init__()
        self.shortcut = nn.Conv2d(channels, channels, 1)
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        x = self.conv(x)
        shortcut = self.shortcut(x)
        return self.relu(x) + shortcut  # expect: TP106:16


class Gate(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.value = nn.Linear(width, width)
        self.gate = nn.Linear(width, width)

    def forward(self, x):
        gate = torch.sigmoid(self.gate(x))
        gate[:, 0] = 1.0  # expect: TP106:9
        value = self.value(x)
        return F.relu(value * gate, inplace=True)


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.query, self.key = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x, mask):
        scores = self.query(x) @ self.key(x).transpose(-2, -1)
        weights = self.normalise(scores)
        return weights @ x

    def normalise(self, scores):
        weights = scores.softmax(dim=-1)
        weights.mul_(0.5)  # expect: TP106:9
        return weights


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.Tanh())
        self.out = nn.Linear(8, 2)

    def forward(self, x):
        hidden = self.layers(x)
        first = hidden[:, 0]
        with torch.no_grad():
            first.clamp_(min=0.0)  # expect: TP106:13
        return self.out(hidden)
