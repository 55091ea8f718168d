import sqlite3
import threading
from zipfile import ZipFile

import lmdb
import torch
from torch.utils.data import DataLoader, Dataset, get_worker_info


class Lines(Dataset):
    def __init__(self, path, starts):
        super().__init__()
        self.starts = starts
        self.file = open(path, "rb")  # expect: TP505:9

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, index):
        self.file.seek(self.starts[index])
        return self.file.readline()


class Archive(Dataset):
    def __init__(self, paths):
        self.archives = [ZipFile(path) for path in paths]  # expect: TP505:9
        database = sqlite3.connect("labels.db")
        self.labels = database  # expect: TP505:9
        self.env = lmdb.open("images", readonly=True, lock=False)  # expect: TP505:9

    def __len__(self):
        return self.env.stat()["entries"]

    def __getitem__(self, index):
        label = self.labels.execute("select label from labels where id = ?", (index,)).fetchone()
        return self.archives[0].read(str(index)), label


class Locked(Dataset):
    def __init__(self, numbers):
        self.numbers = numbers
        self.lock = threading.Lock()  # expect: TP505:9

    def __getitem__(self, index):
        with self.lock:
            return torch.tensor(self.numbers[index]), get_worker_info().id

    def __len__(self):
        return len(self.numbers)


def load(path, starts):
    yield from DataLoader(Lines(path, starts), num_workers=4)
    yield from DataLoader(Locked([1, 2]), num_workers=2, multiprocessing_context="spawn")
