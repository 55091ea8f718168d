import torch
import torch.nn as nn
from torch.autograd import Variable  # expect: TP011:1


def weights(rows, columns):
    w = torch.randn(rows, columns, requires_grad=True)
    return w


class Attention(nn.Module):
    def __init__(self, width, device):
        super().__init__()
        self.query = nn.Parameter(torch.randn(width)).to(device)  # expect: TP206:9
        self.key = nn.Parameter(torch.randn(width, width)) * 0.02  # expect: TP206:9
        self.value = weights(width, width)  # expect: TP206:9
        self.bias = torch.zeros(width)  # expect: TP206:9
        self.bias.requires_grad_()
        self.scale = Variable(torch.ones(1), requires_grad=True)  # expect: TP206:9
        self._heads(width, 4)

    def _heads(self, width, n):
        gains = torch.ones(n)
        gains.requires_grad = True
        self.gains = gains  # expect: TP206:9
        self.mixes = [torch.randn(width, requires_grad=True) for _ in range(n)]  # expect: TP206:9
        self.shifts = []  # expect: TP206:9
        for _ in range(n):
            self.shifts.append(torch.zeros(width, requires_grad=True))

    def forward(self, x):
        scores = (x @ self.key) @ self.query
        x = torch.softmax(scores * self.scale, dim=-1).unsqueeze(-1) * (x @ self.value + self.bias)
        return sum(g * (x * m + s) for g, m, s in zip(self.gains, self.mixes, self.shifts))
