"""A data set around another one, which divides its items."""
from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Files(IterableDataset):
    def __init__(self, paths):
        self.paths = paths

    def __iter__(self):
        info = get_worker_info()
        yield from self.paths if info is None else self.paths[info.id :: info.num_workers]


class Lengths(IterableDataset):
    def __init__(self, files):
        self.files = files

    def __iter__(self):
        for path in self.files:
            yield len(path)


def load(paths):
    return DataLoader(Lengths(Files(paths)), num_workers=4)
