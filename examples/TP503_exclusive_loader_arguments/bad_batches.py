"""Batch samplers and iterable datasets that are told once more what they decide themselves."""
from functools import partial

from torch.utils import data
from torch.utils.data import BatchSampler, IterableDataset, RandomSampler


class Lines(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path) as lines:
            yield from lines


class QuietLoader(data.DataLoader):
    pass


class ShuffledLoader(data.DataLoader):
    def __init__(self, dataset):
        super().__init__(dataset, sampler=RandomSampler(dataset), shuffle=True)  # expect: TP503:67


def make(numbers, args):
    batches = BatchSampler(RandomSampler(numbers), 8, drop_last=False)
    first = data.DataLoader(numbers, batch_sampler=batches, batch_size=args.batch_size)  # expect: TP503:61
    second = QuietLoader(numbers, batch_sampler=batches, drop_last=True)  # expect: TP503:58
    third = data.DataLoader(Lines("lines.txt"), batch_size=4, shuffle=True)  # expect: TP503:63
    fourth = data.DataLoader(numbers, batch_size=None, drop_last=True)  # expect: TP503:56
    later = partial(data.DataLoader, sampler=RandomSampler(numbers), shuffle=True)  # expect: TP503:70
    return first, second, third, fourth, later
