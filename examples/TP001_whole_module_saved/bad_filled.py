import torch
from torch import nn


def keep_best(trial, model: nn.Module, path):
    payload = {"trial": trial}
    payload.update(model=model)
    torch.save(payload, path)  # expect: TP001:16


def keep_unwrapped(model, path):
    if isinstance(model, nn.Module):
        torch.save(model, path)  # expect: TP001:20
    else:
        torch.save(model, path)


keep_unwrapped(nn.Linear(2, 2), "x.pt")
