"""TP503: the loader raises for arguments that exclude each other, and takes the defaults written out."""
from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from torch.utils.data import BatchSampler, DataLoader, IterableDataset, SequentialSampler, TensorDataset

NUMBERS = TensorDataset(torch.arange(8))
SAMPLER = SequentialSampler(NUMBERS)
BATCHES = BatchSampler(SAMPLER, 2, drop_last=False)


class Stream(IterableDataset):
    def __iter__(self) -> Iterator[int]:
        return iter(range(4))


def describe(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{name}={type(given).__name__}" for name, given in value.items())
    return type(value).__name__


@pytest.mark.parametrize(
    "dataset, options",
    [
        (NUMBERS, {"sampler": SAMPLER, "shuffle": True}),
        (NUMBERS, {"batch_sampler": BATCHES, "batch_size": 4}),
        (NUMBERS, {"batch_sampler": BATCHES, "shuffle": True}),
        (NUMBERS, {"batch_sampler": BATCHES, "drop_last": True}),
        (NUMBERS, {"batch_sampler": BATCHES, "sampler": SAMPLER}),
        (NUMBERS, {"batch_size": None, "drop_last": True}),
        (Stream(), {"shuffle": True}),
        (Stream(), {"sampler": SAMPLER}),
        (Stream(), {"batch_sampler": BATCHES}),
    ],
    ids=describe,
)
def test_refused(dataset: object, options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="mutually exclusive|IterableDataset"):
        DataLoader(dataset, **options)


@pytest.mark.parametrize(
    "dataset, options",
    [
        (NUMBERS, {"sampler": SAMPLER, "shuffle": False}),
        (NUMBERS, {"sampler": None, "shuffle": True}),
        (NUMBERS, {"batch_sampler": BATCHES, "batch_size": 1, "shuffle": False, "drop_last": False}),
        (NUMBERS, {"batch_size": None, "shuffle": True}),
        (Stream(), {"shuffle": False, "batch_size": 2, "drop_last": True}),
    ],
    ids=describe,
)
def test_taken(dataset: object, options: dict[str, object]) -> None:
    assert len(list(DataLoader(dataset, **options))) > 0
