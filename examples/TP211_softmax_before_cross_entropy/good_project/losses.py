import torch
from torch import nn


class BalancedLoss(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.inner = nn.CrossEntropyLoss(weight=torch.tensor(weights))

    def forward(self, outputs, labels):
        return self.inner(outputs, labels.long())
