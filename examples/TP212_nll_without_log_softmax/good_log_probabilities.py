import torch
import torch.nn.functional as F
from torch import nn


class Functional(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return F.log_softmax(self.fc(x), dim=1)


class Layered(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)
        self.softmax = nn.LogSoftmax(dim=1)

    def forward(self, x):
        return self.softmax(self.fc(x))


sequential = nn.Sequential(nn.Linear(8, 3), nn.LogSoftmax(dim=-1))
probabilities = nn.Sequential(nn.Linear(8, 3), nn.Softmax(dim=-1))


def fit(loader):
    functional, layered = Functional(), Layered()
    criterion = nn.NLLLoss()
    nets = nn.ModuleList([functional, layered, sequential, probabilities])
    optimizer = torch.optim.Adam(nets.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.nll_loss(functional(x), y) + criterion(layered(x), y) + criterion(sequential(x), y)
        loss = loss + criterion(torch.log(probabilities(x) + 1e-9), y)
        loss.backward()
        optimizer.step()
