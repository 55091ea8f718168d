"""The mean is trained with, the sum is reported."""
import torch
from torch import nn
from torch.nn import functional as F


def train(model: nn.Module, optimizer: torch.optim.Optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()


def test(model: nn.Module, loader) -> float:
    model.eval()
    total = 0.0
    with torch.inference_mode():
        for x, y in loader:
            total += F.cross_entropy(model(x), y, reduction="sum").item()
    return total / len(loader.dataset)
