import torch
from torch import nn
from torch.nn import functional as F


def train(model: nn.Module, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for x, y in loader:
        loss = F.cross_entropy(model(x), y, reduction="sum")  # expect: TP922:16
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
