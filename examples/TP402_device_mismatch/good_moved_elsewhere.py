"""Tensors that the data set, the collate function or the module itself moves."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset, TensorDataset, default_collate

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class OnDevice(Dataset):
    def __init__(self, count):
        self.x = torch.rand(count, 3).to(device)  # expect: TP945:18

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index], self.x[index].sum()


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)

    def forward(self, x):
        return self.fc(x)


class Careful(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 1)

    def forward(self, x):
        return self.inner(x.to(self.inner.weight.device))


def to_device(items):
    return [tensor.to(device) for tensor in default_collate(items)]


def run():
    model = Regressor().to(device)
    for x, y in DataLoader(OnDevice(10), batch_size=2):
        print(model(x), y)
    pairs = TensorDataset(torch.rand(10, 3), torch.rand(10, 1))
    for x, y in DataLoader(pairs, batch_size=2, collate_fn=to_device, num_workers=0):
        print(model(x) - y)
    moved = TensorDataset(torch.rand(10, 3).to(device), torch.rand(10, 1).to(device))  # expect: TP945:27, TP945:57
    for x, y in DataLoader(moved, batch_size=2, num_workers=0):
        print(model(x) - y)
    careful = Careful().to(device)
    for x, _ in DataLoader(pairs, batch_size=2, num_workers=2):
        print(careful(x))


run()
