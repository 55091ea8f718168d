import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(8)
        self.body = nn.Linear(8, 8)
        for layer in self.modules():
            if isinstance(layer, nn.BatchNorm1d):
                nn.init.kaiming_normal_(layer.weight)  # expect: TP216:17
            elif isinstance(layer, nn.Linear):
                nn.init.kaiming_normal_(layer.weight)

    def forward(self, x):
        return self.body(self.norm(x))


def initialize(layer):
    if type(layer) == nn.Linear:
        torch.nn.init.xavier_normal_(layer)  # expect: TP216:9
