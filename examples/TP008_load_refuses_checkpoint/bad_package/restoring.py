import torch

from .storing import FOLDER, store, store_time


def restore(model):
    store(model, 0)
    model.load_state_dict(torch.load("runs/counts.pt")["weights"])  # expect: TP008:27


def restore_timed(model, optimizer):
    store_time(model, optimizer, 0)
    state = torch.load(FOLDER / "timed.pt", weights_only=True)  # expect: TP008:13
    model.load_state_dict(state["weights"])
    return state["step"]
