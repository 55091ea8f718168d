"""One of them decides, defaults are written out, or the text does not tell."""
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler, IterableDataset, RandomSampler, Sampler


class Stream(IterableDataset):
    def __iter__(self):
        yield from range(8)


def one_decides(numbers, distributed):
    sampler = DistributedSampler(numbers) if distributed else None
    first = DataLoader(numbers, batch_size=4, sampler=sampler, shuffle=(sampler is None))
    second = DataLoader(numbers, batch_size=4, sampler=RandomSampler(numbers), shuffle=False)
    third = DataLoader(Stream(), batch_size=4, shuffle=False, drop_last=True)
    fourth = DataLoader(numbers, batch_size=None, shuffle=True)
    return first, second, third, fourth


def defaults_written_out(numbers):
    batches = BatchSampler(RandomSampler(numbers), 8, drop_last=True)
    return DataLoader(
        numbers, batch_size=1, shuffle=False, sampler=None, batch_sampler=batches, drop_last=False
    )


def in_branches(numbers, distributed):
    if distributed:
        sampler, shuffle = DistributedSampler(numbers), False
    else:
        sampler, shuffle = None, True
    return DataLoader(numbers, sampler=sampler, shuffle=shuffle)


def passed_on(numbers, sampler=None, shuffle=False, batch_size=1, **options):
    plain = DataLoader(numbers, batch_size, shuffle=shuffle, sampler=sampler)
    return plain, DataLoader(numbers, sampler=RandomSampler(numbers), **options)


class Patches:
    """Either shuffles or leaves the order to a sampler, and checks that itself."""

    def __init__(self, volumes, order: Sampler | None = None, shuffle: bool = True):
        if shuffle and order is not None:
            raise ValueError("give an order or shuffle")
        self.volumes = volumes
        self.order = order
        self.shuffle = shuffle

    def loader(self):
        return DataLoader(self.volumes, batch_size=1, sampler=self.order, shuffle=self.shuffle)
