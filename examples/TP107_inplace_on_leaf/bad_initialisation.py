import math

import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(width))
        self.linear = nn.Linear(width, width)
        self.reset_parameters(1 / math.sqrt(width))

    def reset_parameters(self, bound):
        self.weight.uniform_(-bound, bound)  # expect: TP107:9
        self.linear.bias.fill_(1.0)  # expect: TP107:9
        self.weight[0] = 0  # expect: TP107:9

    def forward(self, x):
        return torch.sigmoid(self.linear(x)) * self.weight
