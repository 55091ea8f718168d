import copy

from torch import nn


class Stack(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        layer = nn.Linear(width, width)
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])
        self.copies = nn.ModuleList([copy.deepcopy(layer) for _ in range(depth)])
        self.activations = nn.ModuleList([nn.ReLU()] * depth)
        self.pools = nn.Sequential(*[nn.MaxPool2d(2)] * 3)
        self.only = nn.ModuleList([nn.Linear(width, width)] * 1)
        shared_layer = nn.Linear(width, width)
        self.tied = nn.ModuleList([shared_layer] * depth)
        made = []
        for _ in range(depth):
            one = nn.Linear(width, width)
            made.append(one)
        self.made = nn.Sequential(*made)

    def forward(self, x):
        for layer in (*self.layers, *self.copies, *self.activations, *self.tied):
            x = layer(x)
        return self.made(self.pools(x))


class AlbertEncoder(nn.Module):
    """One set of weights for all depths, which is the idea of the model."""

    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width)] * depth)


class Recycling(nn.Module):
    def __init__(self, width, steps):
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.steps = steps

    def forward(self, x):
        for _ in range(self.steps):
            x = self.layer(x)
        return x


def compare(model: nn.Linear, inputs):
    return [one(x) for one, x in zip([model] * len(inputs), inputs)]
