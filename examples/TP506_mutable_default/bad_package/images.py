"""Defaults that a base class in another file keeps, and those of a transform."""
from collections import defaultdict

import torch
from base import Folder


class Images(Folder):
    def __init__(self, root, *, extensions=set()):  # expect: TP506:44
        super().__init__(root, extensions)

    def __getitem__(self, index):
        return torch.zeros(3, 8, 8)

    def __len__(self):
        return 1


class Counted:
    """A transform that counts the labels it has seen."""

    def __init__(self, seen=defaultdict(int)):  # expect: TP506:29
        self.seen = seen

    def __call__(self, label):
        self.seen[label] += 1
        return torch.tensor(label)
