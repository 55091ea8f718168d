"""TP951 beyond its examples."""
from __future__ import annotations

import pytest
from support import codes

HEAD = """\
import torch
from torch.utils.data import *
from torch.utils.data import DataLoader, Dataset, TensorDataset
class Files(Dataset):
    def __getitem__(self, i):
        return self.transform(self.rows[i])
class Rows(Dataset):
    def __getitem__(self, i):
        return torch.as_tensor(self.rows[i]).float(), len(self.rows), self.labels[i].clone()
def train(loss):
    loss.backward()
"""


@pytest.mark.parametrize(
    "call, expected",
    [
        ("DataLoader(Files(), 4)", ["TP951"]),
        ("DataLoader(unknown, batch_size=4)", ["TP951"]),
        ("DataLoader(Files(), 4, False, None, None, 2)", []),
        ("DataLoader(Files(), num_workers=0)", []),
        ("DataLoader(Files(), num_workers=unknown)", []),
        ("DataLoader(Files(), **unknown)", []),
        ("DataLoader(*unknown)", []),
        ("DataLoader(Rows())", []),
        ("DataLoader([1, 2])", []),
        ("DataLoader(TensorDataset(torch.ones(2)))", []),
        ("DataLoader(Subset(TensorDataset(torch.ones(2)), [0]))", []),
        ("DataLoader(Subset(Files(), [0]))", ["TP951"]),
    ],
)
def test_loaders(call: str, expected: list[str]) -> None:
    assert codes(HEAD + call, ["TP951"]) == expected


def test_off_by_default() -> None:
    assert "TP951" not in codes(HEAD + "DataLoader(Files(), 4)", ["TP"])


def test_no_training_in_the_file() -> None:
    assert codes(HEAD.replace("loss.backward()", "pass") + "DataLoader(Files(), 4)", ["TP951"]) == []


def test_part_of_a_part() -> None:
    parts = "data = Files()\nfor rows in parts:\n    data = Subset(data, rows)\nDataLoader(data, 4)"
    assert codes(HEAD + parts, ["TP951"]) == ["TP951"]
