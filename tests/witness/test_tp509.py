"""TP509: what a loader does to data sets that lack a method, or whose methods give what it cannot use."""
from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from torch.utils.data import DataLoader, Dataset, DistributedSampler, IterableDataset, RandomSampler


class Sized(Dataset):
    def __len__(self) -> int:
        return 3


class Indexed(Dataset):
    def __getitem__(self, index: int) -> int:
        return index


class Iterated(Sized):
    def __iter__(self) -> Iterator[int]:
        return iter(range(3))


class Whole(Indexed, Sized):
    pass


class Batched(Sized):
    def __getitems__(self, indices: list[int]) -> list[int]:
        return indices


class Fraction(Indexed):
    def __len__(self) -> float:  # type: ignore[override]
        return 5 / 2


class Forgetful(Sized):
    def __getitem__(self, index: int) -> None:
        index + 1


class Nothing(IterableDataset):
    pass


@pytest.mark.parametrize("kind", [Sized, Iterated])
def test_items_are_taken_by_index(kind: type[Dataset]) -> None:
    with pytest.raises(NotImplementedError, match="should implement __getitem__"):
        list(DataLoader(kind()))


def test_samplers_need_the_length() -> None:
    with pytest.raises(TypeError, match="no len"):
        DataLoader(Indexed(), shuffle=True)
    with pytest.raises(TypeError, match="no len"):
        list(DataLoader(Indexed()))
    with pytest.raises(TypeError, match="no len"):
        RandomSampler(Indexed())
    with pytest.raises(TypeError, match="no len"):
        DistributedSampler(Indexed(), 2, 0)
    assert list(DataLoader(Indexed(), sampler=[0, 1])) == [torch.tensor([0]), torch.tensor([1])]
    assert len(list(DataLoader(Indexed(), batch_sampler=[[0, 1]]))) == 1


def test_length_is_a_whole_number() -> None:
    with pytest.raises(TypeError, match="'float' object"):
        list(DataLoader(Fraction()))


def test_nothing_makes_no_batch() -> None:
    with pytest.raises(TypeError, match="default_collate"):
        list(DataLoader(Forgetful()))


def test_iterable_data_set_without_iteration_is_abstract() -> None:
    with pytest.raises(TypeError, match="abstract"):
        Nothing()


@pytest.mark.parametrize("kind", [Whole, Batched])
def test_whole_contract(kind: type[Dataset]) -> None:
    assert torch.cat(list(DataLoader(kind(), batch_size=2))).tolist() == [0, 1, 2]
