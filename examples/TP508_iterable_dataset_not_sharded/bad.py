import argparse
import random

import numpy as np
from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __init__(self, paths):
        super().__init__()
        self.paths = paths

    def read(self, path):
        with open(path) as file:
            yield from file

    def __iter__(self):  # expect: TP508:5
        for path in self.paths:
            yield from self.read(path)


class Numbers(IterableDataset):
    def __init__(self, count):
        self.count = count

    def __iter__(self):  # expect: TP508:5
        return iter(range(self.count))


def seed(worker):
    np.random.seed(worker)
    random.seed(worker)


def loaders(paths, workers=4):
    parser = argparse.ArgumentParser()
    parser.add_argument("--num-workers", type=int, default=8)
    args = parser.parse_args()
    numbers = DataLoader(Numbers(100), num_workers=args.num_workers)
    return DataLoader(Lines(paths), batch_size=8, num_workers=4, worker_init_fn=seed), numbers
