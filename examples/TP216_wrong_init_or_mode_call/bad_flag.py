import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, train=True):
        super().__init__()
        self.train = train  # expect: TP216:9
        self.hidden = nn.Linear(8, 8)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        x = self.hidden(x)
        return self.dropout(x) if self.train else x


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8))
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.body(x))


class Trainer:
    def __init__(self, loader):
        self.net = Classifier()
        self.loader = loader

    @torch.no_grad()
    def validate(self):
        self.net.training = False  # expect: TP216:9
        return [self.net(x).argmax(1) for x, _ in self.loader]

    def start(self):
        self.net.train(mode="train")  # expect: TP216:9


def start():
    net = Classifier()
    net.eval = True  # expect: TP216:5
    return net
