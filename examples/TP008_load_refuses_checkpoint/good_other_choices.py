import pickle
import sys

import torch


class Restricted:
    """Stands for a module with an unpickler of its own."""

    Unpickler = pickle.Unpickler


def load(path, weights_only):
    model = torch.load(path, weights_only=weights_only)
    model.eval()
    return model


def load_restricted(path):
    model = torch.load(path, pickle_module=Restricted)
    model.eval()
    return model


def load_state(path, model):
    try:
        state = torch.load(path)
    except pickle.UnpicklingError:
        sys.exit("the file holds more than weights")
    model.load_state_dict(state["model"])
    return state["options"].width


def convert(path, model):
    state = torch.load(path)
    if hasattr(state, "state_dict"):
        state = state.state_dict()
    model.load_state_dict(state)
    return model
