"""Nothing that can be changed is shared."""
from collections.abc import Sequence

import torch
from torch import nn
from torch.utils.data import Dataset


class Notes(Dataset):
    def __init__(self, texts, transforms=None, labels=(), extra=[], names=[], options={}):
        self.texts = texts
        self.transforms = [] if transforms is None else list(transforms)
        self.labels = labels
        self.extra = list(extra)
        self.names = names or ["text"]
        self.size = len(options)

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, index):
        return self.texts[index]


class Stack(nn.Module):
    """Settings that are only read, and a layer without weights."""

    def __init__(self, sizes=[64, 32, 16], act=nn.ReLU(), skips: Sequence[int] = [], device=torch.device("cpu")):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(a, b, device=device) for a, b in zip(sizes, sizes[1:]))
        self.sizes = sizes
        self.act = act
        self.skips = skips

    def forward(self, x):
        for layer in self.layers:
            x = self.act(layer(x))
        return x


class Report:
    """Neither a dataset nor a transform nor a module."""

    def __init__(self, lines=[]):
        self.lines = lines
