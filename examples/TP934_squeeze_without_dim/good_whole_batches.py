"""The loader gives whole batches only."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(features, targets):
    net = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loader = DataLoader(TensorDataset(features, targets), 32, shuffle=True, drop_last=True, num_workers=0)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x).squeeze(), y).backward()
        optimizer.step()
