"""TP008: ``torch.load`` accepts tensors and plain values, and refuses the rest."""
from __future__ import annotations

import argparse
import collections
import datetime
import enum
import io
import pathlib
import pickle
import random

import numpy as np
import pytest
import torch
from torch import nn, optim


class Colour(enum.Enum):
    RED = 1


class Config:
    width = 3


class Settings(dict[str, int]):
    pass


MODEL = nn.Linear(2, 2)
OPTIMIZER = optim.Adam(MODEL.parameters())
SCHEDULER = optim.lr_scheduler.StepLR(OPTIMIZER, 1)
REFUSED: dict[str, object] = {
    "module": MODEL,
    "optimizer": OPTIMIZER,
    "scheduler": SCHEDULER,
    "criterion": nn.MSELoss(),
    "Namespace": argparse.Namespace(lr=1),
    "numpy scalar": np.mean([1.0]),
    "numpy sum": np.sqrt(2) + 1,
    "numpy array": np.ones(2),
    "numpy random state": np.random.get_state(),
    "array of a tensor": torch.ones(2).numpy(),
    "Path": pathlib.Path("a"),
    "defaultdict": collections.defaultdict(int),
    "deque": collections.deque([1]),
    "datetime": datetime.datetime(2025, 1, 1),
    "Enum": Colour.RED,
    "frozenset": frozenset((1,)),
    "range": range(3),
    "object": Config(),
    "class": Config,
    "subclass of dict": Settings(a=1),
    "function": random.seed,
    "dataset": torch.utils.data.TensorDataset(torch.ones(2)),
    "version": torch.__version__,
    "generator": torch.Generator(),
}
ACCEPTED: dict[str, object] = {
    "state_dict": MODEL.state_dict(),
    "optimizer": OPTIMIZER.state_dict(),
    "scheduler": SCHEDULER.state_dict(),
    "scaler": torch.amp.GradScaler("cpu").state_dict(),
    "parameter": nn.Parameter(torch.ones(2)),
    "OrderedDict": collections.OrderedDict(a=1),
    "Counter": collections.Counter("ab"),
    "set": {1, 2},
    "vars": vars(argparse.Namespace(lr=1)),
    "float": float(np.mean([1.0])),
    "item": np.mean([1.0]).item(),
    "list": np.ones(2).tolist(),
    "random state": random.getstate(),
    "torch random state": torch.get_rng_state(),
    "device": torch.device("cpu"),
    "dtype": torch.float32,
    "size": torch.ones(2).shape,
    "version": str(torch.__version__),
}


def round_trip(value: object, **options: object) -> object:
    file = io.BytesIO()
    torch.save({"value": value}, file)
    file.seek(0)
    return torch.load(file, **options)["value"]


@pytest.mark.parametrize("value", REFUSED.values(), ids=REFUSED.keys())
@pytest.mark.parametrize("options", [{}, {"weights_only": True}], ids=["default", "explicit"])
def test_refused(value: object, options: dict[str, object]) -> None:
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
        round_trip(value, **options)
    round_trip(value, weights_only=False)


@pytest.mark.parametrize("value", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_accepted(value: object) -> None:
    round_trip(value)


def test_allowed_class_is_accepted() -> None:
    with torch.serialization.safe_globals([argparse.Namespace]):
        assert round_trip(argparse.Namespace(lr=1)) == argparse.Namespace(lr=1)
