"""Options for workers beside workers, or switched off with them."""
import argparse

import torch
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--workers", type=int, default=0)
args = parser.parse_args()

numbers = TensorDataset(torch.arange(64.0))
options = {"num_workers": 2}
loaders = [
    DataLoader(numbers, num_workers=2, persistent_workers=True, prefetch_factor=4),
    DataLoader(numbers, num_workers=args.workers, persistent_workers=True),
    DataLoader(numbers, num_workers=args.workers, persistent_workers=args.workers > 0),
    DataLoader(numbers, persistent_workers=False, prefetch_factor=None, multiprocessing_context=None),
    DataLoader(numbers, timeout=0),
    DataLoader(numbers, persistent_workers=True, **options),
]


def loader(dataset, workers=0, prefetch=None):
    return DataLoader(dataset, num_workers=workers, prefetch_factor=prefetch)


def careful(dataset, debug):
    workers = 0 if debug else 4
    return DataLoader(dataset, num_workers=workers, persistent_workers=not debug)
