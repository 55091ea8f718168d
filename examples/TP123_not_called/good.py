"""Methods that are passed on, kept and tested, and attributes that are data."""
import atexit
import dataclasses

import torch
from torch import nn


@dataclasses.dataclass
class Splits:
    train: list
    test: list


def show(splits: Splits):
    splits.train
    splits.test


def callbacks(model: nn.Module, optimizer: torch.optim.Optimizer):
    step = optimizer.step
    atexit.register(model.eval)
    return {"step": step, "clear": optimizer.zero_grad}


def has_gradient_methods(thing):
    try:
        thing.backward
    except AttributeError:
        return False
    return hasattr(thing, "zero_grad")


def train(model: nn.Module, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    toggle = model.train if batches else model.eval
    toggle()
    for inputs in batches:
        optimizer.zero_grad()
        model(inputs).mean().backward()
        optimizer.step()
