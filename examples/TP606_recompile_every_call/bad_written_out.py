import torch
from torch import nn


class Warmup(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)
        self.steps = 0

    def forward(self, x):
        if self.training:
            self.steps = self.steps + 1  # expect: TP606:13
        return self.linear(x) * min(1.0, self.steps / 100)


net = torch.compile(Warmup())
