import torch
from torch import nn

from .settings import DEVICE


def build(path):
    net = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
    weights = torch.load(path)["weights"]  # expect: TP003:15
    net.load_state_dict(weights)
    return net.to(DEVICE).eval()
