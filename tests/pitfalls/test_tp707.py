"""TP707 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler
def step(model, batch):
    model(batch).sum().backward()
"""


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 5, column) for line, column, _ in check(HEAD + text, ["TP707"])]


LOOP = """\
def train(model, data, hook, epochs, flag):
    loader = DataLoader(data, sampler=DistributedSampler(data{}))
    for epoch in range({}):
        {}
        for batch in loader:
            step(model, batch)
"""


@pytest.mark.parametrize("sampler, epochs, before", [("", "epochs", "print(epoch)"), (", shuffle=True", "9", "pass")])
def test_repeated(sampler: str, epochs: str, before: str) -> None:
    assert found(LOOP.format(sampler, epochs, before)) == [(5, 9)]


@pytest.mark.parametrize(
    "sampler, epochs, before",
    [
        (", shuffle=False", "epochs", "pass"),
        (", shuffle=flag", "epochs", "pass"),
        (", **flag", "epochs", "pass"),
        ("", "1", "pass"),
        ("", "epochs", "loader.sampler.set_epoch(epoch)"),
        ("", "epochs", "hook(epoch, loader)"),
        ("", "epochs", "loader = hook.prepare(loader)"),
    ],
)
def test_right_or_unknown(sampler: str, epochs: str, before: str) -> None:
    assert found(LOOP.format(sampler, epochs, before)) == []


def test_a_helper_in_another_file_sets_it() -> None:
    text = HEAD + """
from engine import train_one_epoch
def train(model, data):
    loader = DataLoader(data, sampler=DistributedSampler(data))
    for epoch in range(3):
        train_one_epoch(model, loader, epoch)
"""
    engine = """
def train_one_epoch(model, loader, epoch):
    {}
    for batch in loader:
        model(batch).sum().backward()
"""
    called = check({"a.py": text, "engine.py": engine.format("loader.sampler.set_epoch(epoch)")}, ["TP707"])
    assert called == []
    assert check({"a.py": text, "engine.py": engine.format("pass")}, ["TP707"]) == [(11, 9, "TP707")]
