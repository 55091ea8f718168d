import torch
from torch import nn


class Warmup(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.steps = 0
        self.seen = []
        self.strength = 0

    def forward(self, x):
        if self.training:
            self.steps += 1  # expect: TP606:13
        x = self.linear(x) * min(1.0, self.steps / 100)
        self.remember(x)
        return x + self.strength

    def remember(self, x):
        self.seen.append(x.detach())  # expect: TP606:9


class Net(nn.Sequential):
    def __init__(self):
        super().__init__(Warmup(), nn.ReLU())


class Trainer:
    def __init__(self, loader):
        self.loader = loader
        self.net = Warmup()
        self.net.compile()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def fit(self):
        for number, x in enumerate(self.loader):
            self.net.strength = number  # expect: TP606:13
            self.optimizer.zero_grad()
            self.net(x).sum().backward()
            self.optimizer.step()
