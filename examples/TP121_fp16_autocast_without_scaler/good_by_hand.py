"""A constant scale, taken back before the step."""
import torch
import torch.nn.functional as F
from torch import nn

LOSS_SCALE = 1024.0


def train(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(x), y)
        (loss * LOSS_SCALE).backward()
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.grad /= LOSS_SCALE
        optimizer.step()
