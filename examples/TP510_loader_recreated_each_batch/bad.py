"""Every step starts a new pass over the data and takes its first batch."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(steps=1000):
    dataset = TensorDataset(torch.randn(512, 8), torch.randn(512, 1))
    loader = DataLoader(dataset, batch_size=32, shuffle=False)
    model = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(steps):
        x, y = next(iter(loader))  # expect: TP510:21
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
