"""Other ways to keep the contract, and classes that no loader is given."""
from abc import ABC, abstractmethod

import torch
from somewhere import RemoteDataset
from torch.utils.data import ConcatDataset, DataLoader, Dataset, IterableDataset, TensorDataset


class Base(Dataset, ABC):
    def __init__(self, items):
        self.items = items

    def __len__(self):
        return len(self.items)

    @abstractmethod
    def __getitem__(self, index):
        pass


class Template(Dataset):
    """Meant to be derived from."""

    def __len__(self):
        return 10

    def get_item(self, index):
        return index


class Items(Base):
    def __getitem__(self, index):
        return self.items[index]


class Batched(Dataset):
    def __len__(self):
        return 100

    def __getitems__(self, indices):
        return torch.tensor(indices)


class Forwarding(Dataset):
    def __init__(self, inner):
        self.inner = inner

    def __getattr__(self, name):
        return getattr(self.inner, name)


class Remote(RemoteDataset):
    def __init__(self, url):
        super().__init__(url)


class Lengthless(Dataset):
    def __getitem__(self, index):
        if index < 0:
            raise IndexError(index)
        return torch.tensor(index)


class Stream(IterableDataset):
    def __iter__(self):
        yield from range(10)


class Joined(ConcatDataset):
    def titles(self):
        return [str(part) for part in self.datasets]


class Pairs(TensorDataset):
    pass


class Assigned(Dataset):
    pass


class Refusing(Dataset):
    def __len__(self):
        return 10

    def __getitem__(self, index):
        raise KeyError(index)


Assigned.__getitem__ = lambda self, index: index
Assigned.__len__ = lambda self: 10


def loaders(items, sampler, options):
    return (
        DataLoader(Items(items)),
        DataLoader(Batched(), batch_size=10),
        DataLoader(Forwarding(Items(items))),
        DataLoader(Remote("https://example.org")),
        DataLoader(Lengthless(), sampler=[1, 2, 3]),
        DataLoader(Lengthless(), batch_sampler=[[1, 2], [3]]),
        DataLoader(Lengthless(), sampler=sampler),
        DataLoader(Lengthless(), **options),
        DataLoader(Stream()),
        DataLoader(Joined([Items(items), Items(items)])),
        DataLoader(Pairs(torch.zeros(3))),
        DataLoader(Assigned()),
        DataLoader(Refusing()),
    )
