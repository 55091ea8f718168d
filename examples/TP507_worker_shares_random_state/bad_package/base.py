import random

from torch.utils.data import Dataset


class Seeded(Dataset):
    """Draws from its generator; its loaders are elsewhere."""

    def __init__(self, items, seed):
        self.items = items
        self.random = random.Random(seed)

    def __len__(self):
        return len(self.items)

    def pick(self, index):
        return self.random.choice(self.items[index])
