"""The base keeps what it is given."""
from torch.utils.data import Dataset


class Folder(Dataset):
    def __init__(self, root, extensions):
        self.root = root
        self.extensions = extensions
