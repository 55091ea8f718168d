"""Moved once, before the loop."""
import torch
from torch import nn


def train(net, loader, optimizer):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device)
    weights = torch.tensor([0.2, 0.8]).to(device)  # the data come from the CPU
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x.to(device)), y.to(device), weight=weights)
        loss.backward()
        optimizer.step()
