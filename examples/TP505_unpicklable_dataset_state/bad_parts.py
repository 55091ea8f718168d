"""What comes out of an open file is as bound to its process as the file."""
import sqlite3
import zipfile

import h5py
from torch.utils.data import Dataset


class Images(Dataset):
    def __init__(self, path):
        self.file = h5py.File(path, "r")
        self.images = self.file["images"]  # expect: TP505:9
        labels = h5py.File(path + ".labels", "r")
        self.labels = labels["labels"]  # expect: TP505:9
        self.names = self.file["names"][:]

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.images[index], self.labels[index], self.names[index]


class Rows(Dataset):
    def __init__(self, path):
        self.rows = sqlite3.connect(path).cursor()  # expect: TP505:9
        self.open(path + ".zip")

    def open(self, path):
        self.archive = zipfile.ZipFile(path)  # expect: TP505:9

    def __len__(self):
        return 1000

    def __getitem__(self, index):
        self.rows.execute("select name from items where id = ?", (index,))
        return self.archive.read(self.rows.fetchone()[0])
