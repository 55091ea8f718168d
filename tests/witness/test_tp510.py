"""TP510: a new iterator begins from the start, and with workers starts all of them."""
from __future__ import annotations

import os

import torch
from torch.utils.data import DataLoader, Dataset


class Processes(Dataset):
    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> int:
        return os.getpid()


def test_first_batch_again_and_again() -> None:
    loader = DataLoader(torch.arange(6), batch_size=2)
    assert [next(iter(loader)).tolist() for _ in range(3)] == [[0, 1]] * 3
    batches = iter(loader)
    assert [next(batches).tolist() for _ in range(3)] == [[0, 1], [2, 3], [4, 5]]


def test_workers_start_each_time() -> None:
    loader = DataLoader(Processes(), num_workers=1, multiprocessing_context="fork")
    assert len({next(iter(loader)).item() for _ in range(3)}) == 3
    batches = iter(loader)
    assert len({next(batches).item() for _ in range(3)}) == 1


def test_persistent_workers_stay() -> None:
    loader = DataLoader(Processes(), num_workers=1, multiprocessing_context="fork", persistent_workers=True)
    assert len({next(iter(loader)).item() for _ in range(3)}) == 1
