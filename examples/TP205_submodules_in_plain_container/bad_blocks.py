import torch
from torch import nn


class Tower(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = []  # expect: TP205:9
        for _ in range(depth):
            self.layers.append(nn.Linear(width, width))
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.out(x)


class MultiHead(nn.Module):
    def __init__(self, width, tasks):
        super().__init__()
        self.body = nn.Linear(width, width)
        self.heads = {task: nn.Linear(width, classes) for task, classes in tasks.items()}  # expect: TP205:9

    def forward(self, x):
        h = torch.relu(self.body(x))
        return {task: head(h) for task, head in self.heads.items()}


class Pyramid(nn.Module):
    def __init__(self, channels):
        super().__init__()
        laterals, drops = [], []
        for c in channels:
            laterals.append(nn.Conv2d(c, 64, 1))
            drops.append(nn.Dropout2d(0.1))
        self.laterals = laterals  # expect: TP205:9
        self.drops = nn.ModuleList(drops)
        self.ends = (nn.Conv2d(64, 8, 3), nn.Conv2d(64, 8, 3))  # expect: TP205:9
        self.stages = self._stages(len(channels))  # expect: TP205:9

    def _stages(self, n):
        return [nn.Sequential(nn.Conv2d(64, 64, 3), nn.BatchNorm2d(64)) for _ in range(n)]  # expect: TP923:31


class Snake(nn.Module):
    def __init__(self, channels, n):
        super().__init__()
        self.alphas = [nn.Parameter(torch.ones(1, channels, 1)) for _ in range(n)]  # expect: TP205:9
        self.betas = nn.ParameterList(nn.Parameter(torch.ones(1)) for _ in range(n))

    def forward(self, x):
        for alpha, beta in zip(self.alphas, self.betas):
            x = x + beta * torch.sin(alpha * x).square() / alpha
        return x
