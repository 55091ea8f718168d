from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width


class Residual(Net):
    def __init__(self, width):
        super().__init__(width)
        self.inner = nn.Linear(width, width)

    def forward(self, x):
        return x + self.inner(x)
