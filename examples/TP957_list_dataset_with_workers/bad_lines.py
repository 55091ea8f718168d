import csv

import torch
from torch.utils.data import DataLoader, Dataset, Subset


class Table(Dataset):
    def __init__(self, path):
        self.rows = []  # expect: TP957:9
        with open(path, newline="") as file:
            for row in csv.reader(file):
                self.rows.append([float(value) for value in row])

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return torch.tensor(self.rows[index])


class Lines(Dataset):
    def __init__(self, path):
        with open(path) as file:
            self.lines = [line.strip() for line in file.readlines()]  # expect: TP957:13

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, index):
        return torch.tensor([len(word) for word in self.lines[index].split()[:4]])


def loaders(path, some):
    table = DataLoader(Subset(Table(path), some), batch_size=32, num_workers=4)
    return table, DataLoader(Lines(path), batch_size=32, num_workers=4)
