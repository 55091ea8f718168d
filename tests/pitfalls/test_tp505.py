"""TP505 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

DATA = """\
import gzip, h5py, threading, torch
from torch.utils.data import DataLoader, Dataset
class Data(Dataset):
    def __init__(self, path, paths):
        self.x = {}
        {}
    def __getitem__(self, index):
        return self.x[index]
"""


def found(value: str, then: str = "pass", after: str = "") -> list[tuple[int, int]]:
    text = DATA.replace("{}", value, 1).replace("{}", then, 1) + after
    return [(line, column) for line, column, _ in check(text, ["TP505"])]


@pytest.mark.parametrize(
    "value",
    ["open(path)", "h5py.File(path, 'r')", "h5py.File(path)['x']", "{p: gzip.open(p) for p in paths}", "[open(path)]"],
)
def test_handles(value: str) -> None:
    assert found(value) == [(5, 9)]


@pytest.mark.parametrize(
    "value, then, after",
    [
        ("open(path).read()", "pass", ""),
        ("h5py.File(path)['x'][:]", "pass", ""),
        ("open(path)", "self.x.close()", ""),
        ("open(path)", "self.x = None", ""),
        ("open(path)", "pass", "    def __reduce__(self): return Data, ()"),
        ("open(path)", "pass", "DataLoader(Data(1, 2), num_workers=0)"),
        ("open(path)", "pass", "def init(worker): torch.utils.data.get_worker_info().dataset.x = open('f')"),
        ("threading.Lock()", "pass", ""),
        ("lambda index: index", "pass", ""),
        ("unknown(path)", "pass", ""),
    ],
)
def test_no_handles(value: str, then: str, after: str) -> None:
    assert found(value, then, after) == []


def test_spawned_workers() -> None:
    after = "DataLoader(Data(1, 2), num_workers=2, multiprocessing_context='spawn')"
    assert found("threading.Lock()", after=after) == [(5, 9)]
    assert found("lambda index: index", after=after) == [(5, 9)]
