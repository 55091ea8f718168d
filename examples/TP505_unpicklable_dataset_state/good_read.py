"""Files that are read at once, and opened by a method that others call too."""
import h5py
import numpy as np
from torch.utils.data import Dataset


class InMemory(Dataset):
    def __init__(self, path):
        file = h5py.File(path, "r")
        self.images = np.array(file["images"])
        self.labels = file["labels"][()]
        self.names = list(file.keys())
        file.close()

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.images[index], self.labels[index], self.names


class Reopened(Dataset):
    def __init__(self, path):
        self.path = path
        self.open()

    def open(self):
        self.file = h5py.File(self.path, "r")
        self.images = self.file["images"]

    def __len__(self):
        return 1000

    def __getitem__(self, index):
        if not self.file:
            self.open()
        return self.images[index]
