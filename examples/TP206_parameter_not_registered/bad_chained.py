import torch
from torch import nn


class Affine(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = self.gain = torch.ones(width, requires_grad=True)  # expect: TP206:9, TP206:23
        shift = torch.zeros(width)
        shift.requires_grad = True
        self.shift = shift  # expect: TP206:9

    def forward(self, x):
        return x * self.weight * self.gain + self.shift
