"""A scaler, made here or handed over."""
import torch
import torch.nn.functional as F
from torch import nn


def train(model: nn.Module, loader, optimizer: torch.optim.Optimizer, scaler):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(x), y)
        if scaler is None:
            loss.backward()
            optimizer.step()
        else:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()


def main(model: nn.Module, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train(model, loader, optimizer, torch.amp.GradScaler("cuda"))
