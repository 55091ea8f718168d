import torch
from torch.utils.data import DataLoader

from .base import Indexed


class Files(Indexed):
    def load(self, path):
        return torch.load(path)


def build(paths):
    return DataLoader(Files(paths), batch_size=4, shuffle=True)
