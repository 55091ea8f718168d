import os

import torch
from torch.utils.data import DataLoader, Dataset


class Files(Dataset):
    def __init__(self, root):
        self.paths = sorted(os.path.join(root, name) for name in os.listdir(root))  # expect: TP957:9

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return torch.load(self.paths[index], weights_only=True)


def batches(root):
    return DataLoader(Files(root), batch_size=32, shuffle=True, num_workers=8)
