import torch
from torch import nn, optim
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader


def initialize(module):
    if isinstance(module, nn.Linear):
        nn.init.normal_(module.weight, 0.02)  # expect: TP224:40
        module.bias.data.uniform_(-0.1)  # expect: TP224:35


def fit(data, epochs):
    net = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 2))
    net.apply(initialize)
    optimizer = optim.SGD(net.parameters(), 0.1, 5e-4)  # expect: TP224:50
    other = optim.Adam(net.parameters(), 1e-3, 0.9)  # expect: TP224:48
    scheduler = StepLR(optimizer, 0.1, 30)  # expect: TP224:35
    loader = DataLoader(data, 32, 4)  # expect: TP224:35, TP951:14
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(x).clamp(1, -1), y)  # expect: TP224:48
            loss.backward(True)  # expect: TP224:27
            optimizer.step()
        scheduler.step()
    return other


def evaluate(net, x, y):
    loss = nn.HuberLoss(net(x), y)  # expect: TP224:12
    return loss.item(), torch.linspace(0, 1, 0.1)  # expect: TP224:46
