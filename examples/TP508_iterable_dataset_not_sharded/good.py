import itertools

import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        info = get_worker_info()
        start, step = (0, 1) if info is None else (info.id, info.num_workers)
        with open(self.path) as file:
            yield from itertools.islice(file, start, None, step)


class Range(IterableDataset):
    def __init__(self, start, end):
        self.start, self.end = start, end

    def __iter__(self):
        return iter(range(self.start, self.end))


class Noise(IterableDataset):
    def __iter__(self):
        while True:
            yield torch.randn(8)


class Passed(IterableDataset):
    def __init__(self, stream):
        self.stream = stream

    def __iter__(self):
        for item in self.stream:
            yield item["text"]


def split(number):
    info = get_worker_info()
    part = (info.dataset.end - info.dataset.start) // info.num_workers
    info.dataset.start += number * part
    info.dataset.end = info.dataset.start + part


def loaders(path, stream, count):
    yield DataLoader(Lines(path), num_workers=4)
    yield DataLoader(Range(0, 24), num_workers=3, worker_init_fn=split)
    yield DataLoader(Range(0, 24), num_workers=0)
    yield DataLoader(Range(0, 24), num_workers=count)
    yield DataLoader(Noise(), num_workers=2)
    yield DataLoader(Passed(stream), num_workers=2)
