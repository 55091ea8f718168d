import threading

import h5py
import numpy as np
from torch.utils.data import DataLoader, Dataset


class Lazy(Dataset):
    def __init__(self, path):
        self.path = path
        self.file = None
        with h5py.File(path, "r") as file:
            self.length = len(file["images"])

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        if self.file is None:
            self.file = h5py.File(self.path, "r")
        return self.file["images"][index]


class Dropped(Dataset):
    def __init__(self, path):
        self.path = path
        self.file = open(path, "rb")

    def __getstate__(self):
        return {"path": self.path, "file": None}

    def __getitem__(self, index):
        return self.file.read(index)


class InMemory(Dataset):
    def __init__(self, path):
        self.rows = open(path).read().splitlines()  # expect: TP957:9
        self.values = np.memmap(path + ".bin", dtype="float32", mode="r")
        self.source = open(path)
        self.header = self.source.readline()
        self.source.close()
        self.lock = threading.Lock()
        self.scale = lambda value: value / 255

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        with self.lock:
            return self.scale(self.values[index]), self.rows[index], self.source.name


class OneProcess(Dataset):
    def __init__(self, path):
        self.file = open(path, "rb")

    def __len__(self):
        return 1000

    def __getitem__(self, index):
        return self.file.read(index)


class Recorder:
    def __init__(self, path):
        self.file = open(path, "rb")

    def __getitem__(self, index):
        return self.file.read(index)


def load(path):
    return DataLoader(OneProcess(path), num_workers=0), DataLoader(InMemory(path), num_workers=4)
