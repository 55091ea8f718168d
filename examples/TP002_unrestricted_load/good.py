"""The restricted reader, a choice passed through, files written right here, and other libraries."""
import io
import json
import pickle

import numpy as np
import torch
from torch import nn


def restore(path, model: nn.Module):
    model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    return model


def default(path):
    return torch.load(path, map_location="cpu")


def passed_through(path, weights_only=True, **options):
    first = torch.load(path, map_location="cpu", weights_only=weights_only)
    return first, torch.load(path, map_location="cpu", **options)


def round_trip(batch, path):
    torch.save(batch, path)
    return torch.load(path, weights_only=False)


def through_file(batch, path):
    with open(path, "wb") as target:
        torch.save(batch, target)
    with open(path, "rb") as written:
        return torch.load(written, weights_only=False)


def copy(batch):
    buffer = io.BytesIO()
    torch.save(batch, buffer)
    buffer.seek(0)
    return torch.load(buffer, weights_only=False)


def others(path):
    with open(path, "rb") as file:
        return np.load(path), json.load(file), pickle.load(file)
