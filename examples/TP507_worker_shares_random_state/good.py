"""Each worker seeds the generator of its copy."""
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, get_worker_info


class Tones(Dataset):
    def __init__(self, count=256, length=64):
        self.count = count
        self.length = length
        self.rng = np.random.default_rng()

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        phase = self.rng.uniform(0, 2 * np.pi)
        return torch.cos(0.1 * torch.arange(self.length) + phase)


def seed_worker(worker_id):
    info = get_worker_info()
    info.dataset.rng = np.random.default_rng(info.seed)


if __name__ == "__main__":
    loader = DataLoader(Tones(), batch_size=16, num_workers=4, worker_init_fn=seed_worker)
    for batch in loader:
        print(batch.mean())
