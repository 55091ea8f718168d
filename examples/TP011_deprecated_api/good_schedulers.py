"""Schedulers whose ``step`` takes an argument by right."""
import torch
from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts, ReduceLROnPlateau


def train(net: torch.nn.Module, loader, criterion, epochs: int) -> None:
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    plateau = ReduceLROnPlateau(optimizer)
    restarts = CosineAnnealingWarmRestarts(optimizer, 10)
    for epoch in range(epochs):
        total = 0.0
        for index, (x, y) in enumerate(loader):
            optimizer.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            optimizer.step()
            restarts.step(epoch + index / len(loader))
            total += loss.item()
        plateau.step(total)
