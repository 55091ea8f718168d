"""Workers are given, or declined, or there is nothing for them to do."""
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split


class Pictures(Dataset):
    def __init__(self, root):
        self.paths = sorted(os.path.join(root, name) for name in os.listdir(root))  # expect: TP957:9

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        picture = torch.load(self.paths[index], weights_only=True)
        return picture, picture.mean()


class Rows(Dataset):
    """All in memory: an item is a row."""

    def __init__(self, table):
        self.table = table

    def __len__(self):
        return len(self.table)

    def __getitem__(self, index):
        return self.table[index], self.table[index].mean()


def loaders(root, table, options):
    train_rows, test_rows = random_split(TensorDataset(table, table.mean(1)), [0.8, 0.2])
    return [
        DataLoader(Pictures(root), batch_size=16, shuffle=True, num_workers=4, persistent_workers=True),
        DataLoader(Pictures(root), batch_size=16, num_workers=0),
        DataLoader(Pictures(root), **options),
        DataLoader(Rows(table), batch_size=16),
        DataLoader(train_rows, batch_size=16, shuffle=True),
        DataLoader(test_rows, batch_size=16),
    ]


def train(loader, epochs):
    net = nn.Linear(8, 1)
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(epochs):
        for rows, means in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(rows).squeeze(1), means)
            loss.backward()
            optimizer.step()
