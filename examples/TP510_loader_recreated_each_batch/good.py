"""The iterator is kept, and renewed when it ends."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(steps=1000):
    dataset = TensorDataset(torch.randn(512, 8), torch.randn(512, 1))
    loader = DataLoader(dataset, batch_size=32, num_workers=2)
    model = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    batches = iter(loader)
    for step in range(steps):
        try:
            x, y = next(batches)
        except StopIteration:
            batches = iter(loader)
            x, y = next(batches)
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
