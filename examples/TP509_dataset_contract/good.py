"""Both methods are there."""
import torch
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index], self.y[index]


class Windows(Dataset):
    def __init__(self, series, width):
        self.series = series
        self.width = width

    def __len__(self):
        return len(self.series) // self.width

    def __getitem__(self, index):
        return self.series[index * self.width : (index + 1) * self.width]


def main():
    x = torch.randn(100, 4)
    for rows, targets in DataLoader(Pairs(x, x[:, 0]), batch_size=10, shuffle=True):
        print(rows.shape, targets.shape)
    for batch in DataLoader(Windows(x, 5), batch_size=10):
        print(batch.shape)
