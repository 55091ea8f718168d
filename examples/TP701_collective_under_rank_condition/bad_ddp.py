"""One rank alone evaluates and trains a wrapped model."""
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))

    def forward(self, x):
        return self.layers(x)


class Trainer:
    def __init__(self, rank):
        self.rank = rank
        self.is_chief = rank == 0
        self.net = DistributedDataParallel(Net())

    def validate(self, batch):
        self.net.eval()
        with torch.no_grad():
            return self.net(batch).mean()

    def epoch(self, batch):
        score = self.validate(batch) if self.is_chief else None  # expect: TP701:17
        self.net.train()
        return score

    def warm_up(self, batch):
        if self.rank == 0:
            loss = self.net(batch).mean()  # expect: TP701:20
            loss.backward()
