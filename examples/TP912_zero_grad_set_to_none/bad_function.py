import torch
from torch import nn


def fit(model: nn.Module, optimizer: torch.optim.Optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad(set_to_none=True)  # expect: TP912:9
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
