"""The data set draws its noise from a generator of its own."""
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Tones(Dataset):
    def __init__(self, count=256, length=64, seed=0):
        self.count = count
        self.length = length
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        phase = self.rng.uniform(0, 2 * np.pi)  # expect: TP507:17
        noise = self.rng.standard_normal(self.length)
        return torch.from_numpy(np.cos(0.1 * np.arange(self.length) + phase) + 0.1 * noise).float()


if __name__ == "__main__":
    loader = DataLoader(Tones(), batch_size=16, num_workers=4)
    for batch in loader:
        print(batch.mean())
