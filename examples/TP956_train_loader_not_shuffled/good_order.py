"""The order is meant, or the data set shuffles by itself."""
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, TensorDataset


class Stream(IterableDataset):
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        for index in torch.randperm(len(self.rows)).tolist():
            yield self.rows[index]


def train(rows, series):
    net = nn.Linear(8, 1)
    optimizer = torch.optim.AdamW(net.parameters())
    for x in DataLoader(Stream(rows), batch_size=64, num_workers=0):
        optimizer.zero_grad()
        net(x).mean().backward()
        optimizer.step()
    for (x,) in DataLoader(TensorDataset(series), batch_size=64, shuffle=False, num_workers=0):
        optimizer.zero_grad()
        net(x).mean().backward()
        optimizer.step()
