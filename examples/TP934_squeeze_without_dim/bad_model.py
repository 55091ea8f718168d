"""A regression network that drops the last dimension, and for one example the first."""
import torch
from torch import nn


class Regressor(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(width, 32), nn.ReLU())
        self.head = nn.Linear(32, 1)
        self.pool = nn.AdaptiveAvgPool2d(1)

    def forward(self, x):
        return self.head(self.body(x)).squeeze()  # expect: TP934:16


class Pooled(Regressor):
    def forward(self, x):
        pooled = self.pool(x)
        return self.body(torch.squeeze(pooled))  # expect: TP934:26
