"""The base class stands in another file."""
import torch.nn as nn
from base import Named


class Head(Named):
    def __init__(self, width):  # expect: TP208:5
        self.fc = nn.Linear(width, 1)

    def forward(self, x):
        return self.fc(x)


class Tail(Named):
    def __init__(self, width):
        Named.__init__(self, "tail")
        self.fc = nn.Linear(width, 1)
