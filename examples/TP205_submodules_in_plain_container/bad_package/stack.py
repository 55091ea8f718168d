import torch

from .base import Net, Residual


class Stack(Net):
    def __init__(self, width, depth):
        super().__init__(width)
        self.blocks = [Residual(width) for _ in range(depth)]  # expect: TP205:9

    def forward(self, x):
        for block in self.blocks:
            x = torch.relu(block(x))
        return x
