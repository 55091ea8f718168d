"""The method is called, or it is the method that is meant."""
import copy
import types
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Checkpoint:
    step: int
    state_dict: dict


def without_buffers(model):
    original = model.state_dict

    def state_dict(*args, **kwargs):
        return {key: value for key, value in original(*args, **kwargs).items() if "running" not in key}

    model.state_dict = types.MethodType(lambda self, *args, **kwargs: state_dict(*args, **kwargs), model)
    return model


net = nn.Linear(4, 2)
checkpoint = Checkpoint(1, copy.deepcopy(net.state_dict()))
torch.save(checkpoint.state_dict, "net.pt")
torch.save({"net": net.state_dict(), "step": checkpoint.step}, "checkpoint.pt")
net.load_state_dict(checkpoint.state_dict)
wrapped = without_buffers(net)
getters = {"net": net.state_dict}
torch.save({name: get() for name, get in getters.items()}, "all.pt")


def save(record, path):
    torch.save(record.state_dict, path)
    if hasattr(record, "state_dict") and callable(record.state_dict):
        print(record)
