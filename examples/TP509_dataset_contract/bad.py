"""Methods that are missing or misspelled."""
import torch
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __len__(self):
        return len(self.x)

    def __get_item__(self, index):  # expect: TP509:5
        return self.x[index], self.y[index]


class Rows(Dataset):  # expect: TP509:1
    def __init__(self, rows):
        self.rows = rows

    def __getitem__(self, index):
        return self.rows[index]


class Windows(Dataset):
    def __init__(self, series, width):
        self.series = series
        self.width = width

    def __len__(self):  # expect: TP509:5
        return len(self.series) / self.width

    def __getitem__(self, index):
        return self.series[index * self.width : (index + 1) * self.width]


def main():
    x = torch.randn(100, 4)
    for batch in DataLoader(Rows(x), batch_size=10, shuffle=True):
        print(batch.shape)
    for batch in DataLoader(Windows(x, 5), batch_size=10):
        print(batch.shape)
    return Pairs(x, x[:, 0])
