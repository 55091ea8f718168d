"""What one dataset is given, the next one has too."""
import torch
from torch import nn
from torch.utils.data import Dataset


class Notes(Dataset):
    def __init__(self, texts, transforms=[], cache={}):  # expect: TP506:42, TP506:52
        self.texts = texts
        self.transforms = transforms
        self.cache = cache

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, index):
        if index not in self.cache:
            text = self.texts[index]
            for transform in self.transforms:
                text = transform(text)
            self.cache[index] = torch.tensor([ord(letter) for letter in text])
        return self.cache[index]


class Stack(nn.Module):
    def __init__(self, sizes=[64, 32], norm=nn.LayerNorm(16)):  # expect: TP506:30, TP506:45
        super().__init__()
        sizes.append(16)
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.norm = norm

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return self.norm(x)
