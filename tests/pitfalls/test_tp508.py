"""TP508 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
from torch.utils.data import DataLoader, IterableDataset
class Data(IterableDataset):
    def __init__(self, items): self.items = items
    def __iter__(self):
        {}
"""


def found(body: str, loader: str) -> list[tuple[int, int]]:
    return [(line, column) for line, column, _ in check(HEAD.format(body) + loader, ["TP508"])]


@pytest.mark.parametrize(
    "loader",
    [
        "DataLoader(Data(x), num_workers=2)",
        "DataLoader(Data(x), 8, None, None, None, 4)",
        "DataLoader(dataset=Data(x), num_workers=2, worker_init_fn=None)",
        "def f(workers=4): return DataLoader(Data(x), num_workers=workers)",
    ],
)
def test_repeated(loader: str) -> None:
    assert found("yield from self.items", loader) == [(4, 5)]


@pytest.mark.parametrize(
    "body, loader",
    [
        ("yield from self.items", "DataLoader(Data(x))"),
        ("yield from self.items", "DataLoader(Data(x), num_workers=1)"),
        ("yield from self.items", "DataLoader(Data(x), num_workers=n)"),
        ("yield from self.items", "DataLoader(Data(x), num_workers=2, worker_init_fn=unknown)"),
        ("yield from self.items", "DataLoader(Data(x), num_workers=2, **more)"),
        ("yield from self.items[self.rank::2]", "DataLoader(Data(x), num_workers=2)"),
        ("yield from shard(self.items)", "DataLoader(Data(x), num_workers=2)"),
    ],
)
def test_right_or_unknown(body: str, loader: str) -> None:
    assert found(body, loader) == []
