"""A scale under another name: the gradients are divided before the step."""
import torch
import torch.nn.functional as F
from torch import nn


def train(model: nn.Module, loader, optimizer: torch.optim.Optimizer, factor: float):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(x), y)
        loss.mul(factor).backward()
        for parameter in model.parameters():
            parameter.grad.div_(factor)
        optimizer.step()
