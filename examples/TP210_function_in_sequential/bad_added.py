import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.ModuleList()
        self.body.extend([nn.Linear(width, width), nn.GELU])  # expect: TP210:52
        self.body.insert(0, torch.tanh)  # expect: TP210:29
        self.activations = nn.ModuleDict()
        self.activations["relu"] = nn.ReLU  # expect: TP210:36
        self.activations["gelu"] = nn.GELU()
        layers = []
        layers.extend([nn.Linear(width, 1), F.relu])  # expect: TP210:45
        self.head = nn.Sequential(*layers)
        self.functions = {}
        self.functions["relu"] = F.relu

    def forward(self, x):
        return self.head(self.body(x))
