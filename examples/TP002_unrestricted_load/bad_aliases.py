"""The same under other names: an import, a partial call, a pickle module."""
import pickle
from functools import partial

import torch
from torch import load as read

UNSAFE = False
open_any = partial(torch.load, map_location="cpu", weights_only=False)  # expect: TP002:52


def vectors(path):
    return read(path, weights_only=UNSAFE)  # expect: TP002:23


def features(paths):
    return [torch.load(path, pickle_module=pickle)["features"] for path in paths]  # expect: TP002:30


def by_position(path):
    return torch.load(path, "cpu", pickle)  # expect: TP002:36
