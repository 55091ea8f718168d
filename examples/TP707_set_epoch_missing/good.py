import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def in_order(epochs):
    loader = DataLoader(data, batch_size=8, sampler=DistributedSampler(data, shuffle=False))
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()


def one_epoch():
    loader = DataLoader(data, batch_size=8, sampler=DistributedSampler(data))
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()


def validate_often(epochs):
    loader = DataLoader(data, batch_size=8, sampler=DistributedSampler(data))
    model.eval()
    for _ in range(epochs):
        with torch.no_grad():
            print(sum(nn.functional.mse_loss(model(x), y).item() for x, y in loader))


def folds(parts):
    for part in parts:
        loader = DataLoader(part, batch_size=8, sampler=DistributedSampler(part))  # expect: TP951:18
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
