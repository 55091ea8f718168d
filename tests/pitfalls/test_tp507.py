"""TP507 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import random
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset
class Data(Dataset):
    def __init__(self, x, rng=None): self.x = x; self.rng = {}
    def __len__(self): return len(self.x)
    def __getitem__(self, i):
        {}
"""
LOADER = "DataLoader(Data(x), num_workers=2)"
DRAW = "return self.x[i] + self.rng.random()"


def found(made: str, body: str = DRAW, loader: str = LOADER) -> list[tuple[int, int, str]]:
    return check(HEAD.format(made, body) + loader)


@pytest.mark.parametrize(
    "made",
    [
        "np.random.default_rng()",
        "np.random.RandomState(seed=3)",
        "np.random.Generator(np.random.PCG64(1))",
        "random.Random(3)",
        "torch.Generator()",
        "rng if rng is not None else random.Random()",
        "rng or random.Random()",
    ],
)
def test_generators(made: str) -> None:
    assert found(made) == [(9, 28, "TP507")]


@pytest.mark.parametrize("made", ["np.random", "random", "make()", "rng", "None"])
def test_no_generators(made: str) -> None:
    assert found(made) == []


@pytest.mark.parametrize(
    "body",
    [
        "self.rng = random.Random(i); return self.rng.random()",
        "rng = random.Random(i); return rng.random()",
        "self.rng.seed(i); return self.rng.random()",
        "info = torch.utils.data.get_worker_info(); return self.rng.random()",
        "return random.random()",
    ],
)
def test_right(body: str) -> None:
    assert found("random.Random(3)", body) == []


@pytest.mark.parametrize(
    "loader",
    [
        "DataLoader(Data(x))",
        "DataLoader(Data(x), num_workers=0)",
        "DataLoader(Data(x), num_workers=2, worker_init_fn=unknown)",
        "DataLoader(Data(x), num_workers=2, **more)",
        "def init(i): torch.utils.data.get_worker_info().dataset.rng = random.Random(i)\n"
        "DataLoader(Data(x), num_workers=2, worker_init_fn=init)",
    ],
)
def test_loaders_that_do_not_repeat(loader: str) -> None:
    assert found("random.Random(3)", loader=loader) == []


@pytest.mark.parametrize(
    "loader",
    [
        "DataLoader(Data(x), num_workers=n)",
        "def init(i): np.random.seed(i)\nDataLoader(Data(x), num_workers=2, worker_init_fn=init)",
    ],
)
def test_loaders_that_repeat(loader: str) -> None:
    assert found("random.Random(3)", loader=loader) == [(9, 28, "TP507")]


def test_generator_that_is_handed_in() -> None:
    loader = "r = np.random.default_rng(0)\nDataLoader(Data(x, rng=r), num_workers=2)"
    assert found("rng", loader=loader) == [(9, 28, "TP507")]


def test_global_numpy_before_torch_1_9() -> None:
    text = HEAD.format("None", "return np.random.rand() + self.x[i]") + LOADER
    assert check(text) == []
    assert check(text, ["TP507"], (1, 8)) == [(9, 16, "TP507")]
    seeded = "def init(i): np.random.seed(i)\nDataLoader(Data(x), num_workers=2, worker_init_fn=init)"
    assert check(HEAD.format("None", "return np.random.rand() + self.x[i]") + seeded, ["TP507"], (1, 8)) == []
