from torch.utils.data import DataLoader

from .base import Seeded


class Captions(Seeded):
    def __getitem__(self, index):
        return self.pick(index)


def build(captions, num_workers):
    return DataLoader(Captions(captions, 3), batch_size=4, num_workers=num_workers)  # expect: TP507:12
