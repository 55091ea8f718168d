"""Global generators, generators made for each item, and generators that the workers do not draw from."""
import random

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info


class FromGlobal(Dataset):
    def __init__(self, items, rng=np.random):
        self.items = items
        self.rng = rng

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        gain = self.rng.uniform(0.5, 1.5) * np.random.uniform(0.9, 1.1) + random.random()
        return self.items[index] * gain + torch.rand(1)


class ForEachItem(FromGlobal):
    def __getitem__(self, index):
        rng = np.random.default_rng((7, index))
        return self.items[index] * rng.uniform(0.5, 1.5)


class Reseeded(FromGlobal):
    def __init__(self, items):
        super().__init__(items)
        self.state = random.Random()

    def __getitem__(self, index):
        self.state.seed(index)
        return self.items[index] * self.state.random()


class Chosen(FromGlobal):
    def __init__(self, items):
        super().__init__(items)
        self.order = np.random.default_rng(0)
        self.kept = self.order.permutation(len(items))[:100]

    def __getitem__(self, index):
        return self.items[self.kept[index]]


class Late(FromGlobal):
    def __init__(self, items):
        super().__init__(items)
        self.late = None

    def __getitem__(self, index):
        if self.late is None:
            self.late = np.random.default_rng(torch.initial_seed() % 2**32)
        return self.items[index] * self.late.random()


class Shards(IterableDataset):
    """All workers shuffle alike, then each takes its share."""

    def __init__(self, paths):
        self.paths = paths
        self.shuffler = random.Random(0)

    def __iter__(self):
        info = get_worker_info()
        paths = sorted(self.paths)
        self.shuffler.shuffle(paths)
        yield from paths[info.id :: info.num_workers]


class OneProcess(FromGlobal):
    def __init__(self, items):
        super().__init__(items)
        self.own = np.random.default_rng(0)

    def __getitem__(self, index):
        return self.items[index] * self.own.random()


def build(items, seed_worker):
    return (
        DataLoader(FromGlobal(items), num_workers=2),
        DataLoader(ForEachItem(items), num_workers=2),
        DataLoader(Reseeded(items), num_workers=2),
        DataLoader(Chosen(items), num_workers=2),
        DataLoader(Late(items), num_workers=2),
        DataLoader(Shards(items), num_workers=2),
        DataLoader(OneProcess(items)),
        DataLoader(OneProcess(items), num_workers=0),
        DataLoader(OneProcess(items), num_workers=2, worker_init_fn=seed_worker),
    )
