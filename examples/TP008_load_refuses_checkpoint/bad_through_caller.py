import torch
from torch import nn


def read(path):
    return torch.load(path, map_location="cpu")  # expect: TP008:12


def count(path):
    model = read(path)
    return sum(parameter.numel() for parameter in model.parameters())


def width(path):
    options = torch.load(path)["args"]  # expect: TP008:15
    return nn.Linear(options.width, options.classes)
