import torch
from torch import nn


class Kernel(nn.Module):
    """Calling it and its forward are two things."""

    def __call__(self, x, diagonal=False):
        covariance = self.forward(x, x)
        return covariance.diagonal() if diagonal else covariance


class Linear(Kernel):
    def forward(self, a, b):
        return a @ b.T


class Scaled(Kernel):
    def __init__(self, base: Linear):
        super().__init__()
        self.base = base

    def forward(self, a, b):
        return 2 * self.base.forward(a, b)


class Convolutions(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.stack = nn.Sequential(nn.Conv2d(3, 8, 3), nn.Flatten())
        self.head = nn.Linear(self.forward_features(size).shape[1], 2)
        self.stride = size / self.forward(torch.zeros(1, 3, size, size)).shape[-1]

    def forward_features(self, size):
        return self.stack(torch.zeros(1, 3, size, size))

    def forward(self, x):
        return self.head(self.stack(x))


class Graph:
    def forward(self, x):
        return x


def sizes(net: Convolutions, graph: Graph):
    return net.forward(torch.zeros(1, 3, 8, 8)).shape, graph.forward(3)
