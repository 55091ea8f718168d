"""Arrays and tensors."""
import os

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Files(Dataset):
    def __init__(self, root):
        self.paths = np.array(sorted(os.listdir(root)), dtype=np.bytes_)
        self.sizes = torch.tensor([len(path) for path in os.listdir(root)])
        self.splits = ["train", "test"]

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return torch.load(self.paths[index].decode(), weights_only=True), self.sizes[index], self.splits[index % 2]


def batches(root):
    return DataLoader(Files(root), batch_size=32, shuffle=True, num_workers=8)
