"""TP956 beyond its examples."""
from __future__ import annotations

import pytest
from support import codes

TEXT = """\
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, IterableDataset, TensorDataset
class Stream(IterableDataset):
    pass
class Rows(Dataset):
    pass
def train(xs, options):
    net = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in DataLoader(GIVEN):
        optimizer.zero_grad()
        net(x).mean().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    "given, expected",
    [
        ("Rows(), 32", ["TP956"]),
        ("TensorDataset(xs), batch_size=32", ["TP956"]),
        ("Rows(), 32, False", []),
        ("Rows(), 32, shuffle=options", []),
        ("Rows(), batch_sampler=options", []),
        ("Rows(), **options", []),
        ("Stream(), 32", []),
        ("options, 32", []),
    ],
)
def test_loaders(given: str, expected: list[str]) -> None:
    assert codes(TEXT.replace("GIVEN", given), ["TP956"]) == expected


def test_no_training() -> None:
    assert codes(TEXT.replace("GIVEN", "Rows()").replace(".backward()", ""), ["TP956"]) == []
