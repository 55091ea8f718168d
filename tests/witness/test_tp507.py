"""TP507: workers repeat the numbers of a generator that the data set keeps, but not those of the global ones."""
from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader, Dataset, get_worker_info


class Draws(Dataset):
    def __init__(self) -> None:
        self.numpy = np.random.default_rng(0)
        self.legacy = np.random.RandomState(0)
        self.python = random.Random(0)
        self.torch = torch.Generator()

    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> dict[str, float]:
        return {
            "numpy": self.numpy.random(),
            "legacy": self.legacy.uniform(),
            "python": self.python.random(),
            "torch": torch.rand(1, generator=self.torch).item(),
            "global numpy": np.random.rand(),
            "global python": random.random(),
            "global torch": torch.rand(1).item(),
        }


def seed_worker(worker_id: int) -> None:
    info = get_worker_info()
    assert info is not None
    info.dataset.numpy = np.random.default_rng(info.seed)


def epoch(loader: DataLoader, name: str) -> list[float]:
    return [item[name] for item in loader]


def forking_loader(**options: object) -> DataLoader:
    return DataLoader(Draws(), batch_size=None, num_workers=2, multiprocessing_context="fork", **options)


@pytest.mark.parametrize("name", ["numpy", "legacy", "python", "torch"])
def test_own_generators_repeat_themselves(name: str) -> None:
    loader = forking_loader()
    numbers = epoch(loader, name)
    assert numbers[0] == numbers[1] and numbers[2] == numbers[3]  # worker 0, worker 1, worker 0, worker 1
    assert epoch(loader, name) == numbers


@pytest.mark.parametrize("name", ["global numpy", "global python", "global torch"])
def test_global_generators_do_not(name: str) -> None:
    loader = forking_loader()
    assert len({*epoch(loader, name), *epoch(loader, name)}) == 8


def test_seeded_in_the_worker_they_do_not() -> None:
    loader = forking_loader(worker_init_fn=seed_worker)
    assert len({*epoch(loader, "numpy"), *epoch(loader, "numpy")}) == 8
