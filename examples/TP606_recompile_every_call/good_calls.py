import torch
from torch import nn


@torch.compile
def scale(x, factor, share, size):
    return x[:size] * factor * share


@torch.compile
def iterate(x, rounds):
    for _ in range(rounds):
        x = torch.tanh(x)
    return x


@torch.compile(dynamic=False)
def fixed(x):
    return x * 2


@torch.compile
def free(x):
    return x * 2


def eager(x, rounds):
    for _ in range(rounds):
        x = torch.tanh(x)
    return x


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.register_buffer("steps", torch.zeros((), dtype=torch.long))
        self.rate = 0.0
        self.recent = []
        self.calls = 0
        self.logs = 0

    def forward(self, x, update=False):
        self.steps += 1
        self.rate += 0.1
        self.recent = []
        self.recent.append(x)
        if update:
            self.calls += 1
        return self.linear(x) * self.steps

    def log(self):
        self.logs += 1


class Counter:
    def __init__(self):
        self.calls = 0
        self.run = torch.compile(self._run)

    def _run(self, x):
        self.calls += 1
        return x * self.calls


def main():
    net = torch.compile(Counting())
    x = torch.ones(4)
    for number in range(100):
        scale(x, number, number / 10, number)
        iterate(x, 3)
        eager(x, number)
        fixed(x)
        free(torch.ones(number + 1))
        with torch.set_grad_enabled(number % 2 == 0):
            free(x)
        net(x)
    for rounds in range(4):
        iterate(x, rounds)
    for size in (1, 2, 4):
        fixed(torch.ones(size))
