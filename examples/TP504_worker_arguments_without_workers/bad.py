"""Loaders with options for workers that they do not have."""
import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset

WORKERS = 0  # set to 8 on the server

numbers = TensorDataset(torch.arange(64.0))
train = DataLoader(
    numbers,
    batch_size=8,
    shuffle=True,
    num_workers=WORKERS,
    persistent_workers=True,  # expect: TP504:5
)
test = DataLoader(numbers, batch_size=8, prefetch_factor=4)  # expect: TP504:42
slow = DataLoader(numbers, timeout=30)  # expect: TP504:28


class Data:
    """The loaders of an experiment."""

    def __init__(self, dataset: Dataset, size: int) -> None:
        self.dataset = dataset
        self.size = size

    def loader(self):
        return DataLoader(self.dataset, self.size, num_workers=0, multiprocessing_context="spawn")  # expect: TP504:67
