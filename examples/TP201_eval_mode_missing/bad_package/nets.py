from torch import nn


class Block(nn.Sequential):
    def __init__(self, width):
        super().__init__(nn.Linear(width, width), nn.ReLU(), nn.Dropout(0.2))


class Regressor(nn.Module):
    def __init__(self, width=32, depth=3):
        super().__init__()
        layers = []
        for _ in range(depth):
            layers.append(Block(width))
        self.body = nn.Sequential(*layers)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(self.body(x))
