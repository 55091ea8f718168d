from torch.utils.data import Dataset


class Indexed(Dataset):
    def __init__(self, items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.load(self.items[index])
