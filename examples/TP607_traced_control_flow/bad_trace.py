import torch
from torch import nn


class Halting(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.cell = nn.Linear(width, width)
        self.register_buffer("limit", torch.tensor(3.0))

    def forward(self, x, lengths):
        while x.norm() > self.limit:  # expect: TP607:9
            x = x / 2
        for _ in range(int(lengths.max())):  # expect: TP607:9
            x = torch.tanh(self.cell(x))
        return self.finish(x)

    def finish(self, x):
        total = x.sum().item()
        if total < 0:  # expect: TP607:9
            x = -x
        return x.relu() if x.max() > 1 else x  # expect: TP607:16


def pick(a, b):
    if torch.any(a > b):  # expect: TP607:5
        return a
    return b


net = Halting().eval()
traced = torch.jit.trace(net, (torch.randn(2, 4), torch.tensor([1, 2])))  # expect: TP011:10
picked = torch.jit.trace(pick, (torch.ones(2), torch.zeros(2)))
