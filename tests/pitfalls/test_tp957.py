"""TP957 beyond its examples."""
from __future__ import annotations

import pytest
from support import codes

TEXT = """\
import glob
import torch
from torch.utils.data import DataLoader, Dataset
class Rows(Dataset):
    def __init__(self, path, given):
        self.rows = VALUE
    def __getitem__(self, index):
        return len(self.rows[index])
loader = DataLoader(Rows("a", unknown), num_workers=WORKERS)
"""


@pytest.mark.parametrize(
    "value, expected",
    [
        ("glob.glob(path)", ["TP957"]),
        ("sorted(glob.glob(path))", ["TP957"]),
        ("open(path).readlines()", ["TP957"]),
        ("[line.split() for line in open(path)]", ["TP957"]),
        ("[1, 2]", []),
        ("given", []),
        ("list(given)", []),
        ("[2 * each for each in given]", []),
        ("torch.tensor([len(line) for line in open(path)])", []),
    ],
)
def test_values(value: str, expected: list[str]) -> None:
    assert codes(TEXT.replace("VALUE", value).replace("WORKERS", "2"), ["TP957"]) == expected


def test_no_workers() -> None:
    assert codes(TEXT.replace("VALUE", "glob.glob(path)").replace("WORKERS", "0"), ["TP957"]) == []
