"""TP505: an open file in a data set is not pickled for spawned workers, and shared by forked ones."""
from __future__ import annotations

import io
import os
import pickle
from pathlib import Path

import pytest
from torch.utils.data import DataLoader, Dataset


class Eager(Dataset):
    def __init__(self, path: Path) -> None:
        self.file = open(path, "rb", buffering=0)

    def __len__(self) -> int:
        return 8

    def __getitem__(self, index: int) -> str:
        return self.file.read(1).decode()


class Lazy(Eager):
    def __init__(self, path: Path) -> None:
        self.path = path
        self.opened: io.FileIO | None = None

    def __getitem__(self, index: int) -> str:
        if self.opened is None:
            self.opened = open(self.path, "rb", buffering=0)
        return os.pread(self.opened.fileno(), 1, index).decode()


def test_spawned_workers_cannot_get_it(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_text("abcdefgh")
    data = Eager(path)
    with data.file, pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(data)
    pickle.dumps(Lazy(path))


def test_forked_workers_move_one_offset(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_text("abcdefgh")
    data = Eager(path)
    assert [item for [item] in DataLoader(data, num_workers=1, multiprocessing_context="fork")] == list("abcdefgh")
    assert data[0] == ""  # the worker has read the parent's file to its end
    lazy = Lazy(path)
    assert [item for [item] in DataLoader(lazy, num_workers=2, multiprocessing_context="fork")] == list("abcdefgh")
    assert lazy[0] == "a"
    assert lazy.opened is not None
    lazy.opened.close()
    data.file.close()
