"""TP503 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
from functools import partial
import torch
from torch.utils.data import *
from torch.utils.data import DataLoader, DistributedSampler, IterableDataset
class Stream(IterableDataset): ...
data = [1, 2]
sampler, batches = RandomSampler(data), BatchSampler(RandomSampler(data), 2, False)
"""


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 7, column) for line, column, _ in check(HEAD + text, ["TP503"])]


@pytest.mark.parametrize(
    "text, column",
    [
        ("DataLoader(data, sampler=sampler, shuffle=True)", 35),
        ("DataLoader(data, shuffle=1, sampler=sampler)", 18),
        ("DataLoader(data, 4, True, sampler)", 21),
        ("DataLoader(data, 4, sampler=unknown.SomeSampler(data), shuffle=True)", 56),
        ("DataLoader(data, batch_sampler=batches, batch_size=None)", 41),
        ("DataLoader(data, batch_sampler=batches, batch_size=size)", 41),
        ("DataLoader(data, batch_sampler=batches, sampler=sampler)", 41),
        ("DataLoader(data, batch_sampler=batches, shuffle=True, batch_size=1)", 41),
        ("DataLoader(Stream(), sampler=sampler)", 22),
        ("DataLoader(Stream(), batch_sampler=batches)", 22),
        ("DataLoader(Stream(), 4, True)", 25),
        ("DataLoader(data, batch_size=None, drop_last=True)", 35),
        ("DataLoader(data, sampler=sampler if data else None, shuffle=True)", 53),
        ("DataLoader(data, sampler=sampler, shuffle=True if data else False)", 35),
        ("torch.utils.data.dataloader.DataLoader(data, sampler=sampler, shuffle=True)", 63),
    ],
)
def test_refused(text: str, column: int) -> None:
    assert found(text) == [(1, column)]


@pytest.mark.parametrize(
    "text",
    [
        "DataLoader(data, sampler=sampler, shuffle=False)",
        "DataLoader(data, sampler=sampler, shuffle=None)",
        "DataLoader(data, sampler=None, shuffle=True)",
        "DataLoader(data, sampler=unknown, shuffle=True)",
        "DataLoader(data, sampler=make(data), shuffle=True)",
        "DataLoader(data, sampler=sampler, shuffle=unknown)",
        "DataLoader(data, sampler=sampler, shuffle=not sampler)",
        "DataLoader(data, sampler=sampler, **options)",
        "DataLoader(data, batch_sampler=batches, batch_size=1, shuffle=False, drop_last=False)",
        "DataLoader(data, batch_sampler=unknown, batch_size=size)",
        "DataLoader(data, batch_sampler=None, batch_size=4, shuffle=True, drop_last=True)",
        "DataLoader(Stream(), shuffle=None, sampler=None, drop_last=True)",
        "DataLoader(unknown, shuffle=True)",
        "DataLoader(data, batch_size=None, drop_last=False, shuffle=True)",
        "DataLoader(data, batch_size=size, drop_last=True)",
        "def f(batch_size=1): DataLoader(data, batch_sampler=batches, batch_size=batch_size)",
        "Loader(data, sampler=sampler, shuffle=True)",
    ],
)
def test_taken_or_unknown(text: str) -> None:
    assert found(text) == []


def test_a_sampler_that_one_branch_makes() -> None:
    assert found("s = None\nif data:\n    s = sampler\nDataLoader(data, sampler=s, shuffle=True)") == [(4, 29)]


def test_a_call_in_a_branch_of_its_own() -> None:
    text = """\
def f(distributed):
    s = DistributedSampler(data) if distributed else None
    if distributed:
        return DataLoader(data, sampler=s)
    else:
        return DataLoader(data, sampler=s, shuffle=True)
"""
    assert found(text) == []


def test_what_callers_pass() -> None:
    text = "def f(s, shuffle):\n    return DataLoader(data, sampler=s, shuffle=shuffle)\n"
    assert found(text + "f(sampler, True)") == [(2, 40)]
    assert found(text + "f(sampler, False)\nf(None, True)") == []


def test_an_optional_sampler_of_a_class() -> None:
    text = """\
class Queue:
    def __init__(self, sampler: Sampler | None = None, shuffle: bool = True):
        if shuffle and sampler is not None:
            raise ValueError
        self.sampler = sampler
        self.shuffle = shuffle
    def subjects(self):
        return DataLoader(data, sampler=self.sampler, shuffle=self.shuffle)
"""
    assert found(text) == []


def test_subclasses_in_another_file() -> None:
    base = """\
    from torch.utils import data as d
    class Quiet(d.DataLoader):
        pass
    class Loud(d.DataLoader):
        def __init__(self, dataset, shuffle, sampler):
            super().__init__(dataset, shuffle=shuffle)
    class Numbers(d.IterableDataset):
        pass
    """
    text = """\
    import torch
    from base import Loud, Numbers, Quiet
    from torch.utils.data import RandomSampler
    Quiet([1], sampler=RandomSampler([1]), shuffle=True)
    Loud([1], sampler=RandomSampler([1]), shuffle=True)
    Quiet(Numbers(), shuffle=True)
    """
    assert check({"a.py": text, "base.py": base}, ["TP503"]) == [(4, 40, "TP503"), (6, 18, "TP503")]
