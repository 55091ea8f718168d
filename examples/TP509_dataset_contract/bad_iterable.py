"""Iteration where items are asked for, and items that are forgotten."""
import torch
from torch.utils.data import DataLoader, Dataset, DistributedSampler, IterableDataset


class Lines(Dataset):  # expect: TP509:1
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path) as lines:
            yield from lines

    def __len__(self):
        return 1000


class Stream(IterableDataset):  # expect: TP509:1
    def __init__(self, items):
        self.items = items

    def __next__(self):
        return self.items.pop()


class Squares(Dataset):
    def __len__(self):
        return 100

    def __getitem__(self, index):  # expect: TP509:5
        square = torch.tensor(index) ** 2
        print(square)


class Base(Dataset):  # expect: TP509:1
    def __init__(self, items):
        self.items = items


class Words(Base):
    def __getitem__(self, index):
        return self.items[index]


class Letters(Base):  # expect: TP509:1
    def __getitem__(self, index):
        return self.items[index]


class Trainer:
    def __init__(self, path, items):
        self.lines = DataLoader(Lines(path), batch_size=8)
        self.stream = DataLoader(Stream(items), batch_size=8)
        self.squares = DataLoader(dataset=Squares(), batch_size=8, num_workers=2)
        self.base = DataLoader(Base(items))
        letters = Letters(items)
        self.letters = DataLoader(letters, sampler=DistributedSampler(letters, 2, 0))
        self.words = Words(items)
