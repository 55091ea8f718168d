from torch import nn


class Scaled(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return self.scale(self.linear(x))

    def scale(self, x):
        return x / x.max().item()


def shrink(x):
    if x.sum() > 10:
        x = x / 10
    return x


def shift(x):
    return x - x.mean()
