import torch
from torch import nn


def load_anywhere(path):
    try:
        return torch.load(path)
    except RuntimeError:
        return torch.load(path, map_location="cpu")


device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(2, 2).to(device)
model.load_state_dict(load_anywhere("model.pt"))
