"""TP508: each worker goes through the whole iterable data set unless it asks which one it is."""
from __future__ import annotations

from collections.abc import Iterator

from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Whole(IterableDataset):
    def __iter__(self) -> Iterator[int]:
        return iter(range(4))


class Divided(IterableDataset):
    def __iter__(self) -> Iterator[int]:
        info = get_worker_info()
        return iter(range(info.id, 4, info.num_workers)) if info is not None else iter(range(4))


def items(dataset: IterableDataset, workers: int) -> list[int]:
    return sorted(int(item) for item in DataLoader(dataset, batch_size=None, num_workers=workers))


def test_items_come_once_per_worker() -> None:
    assert items(Whole(), 0) == [0, 1, 2, 3]
    assert items(Whole(), 2) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_divided_they_come_once() -> None:
    assert items(Divided(), 0) == items(Divided(), 2) == [0, 1, 2, 3]
