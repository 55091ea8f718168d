"""Channels, unknown inputs, one sample with channels, and a name that holds something else."""
import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.dropout2d = nn.Dropout(0.5)
        self.maps = nn.Sequential(nn.Conv2d(3, width, 3), nn.BatchNorm2d(width), nn.Dropout2d(0.2))  # expect: TP923:35
        self.fc = nn.Linear(width, width)
        self.signal = nn.Sequential(nn.Flatten(), nn.Linear(width, width), nn.Dropout1d(0.2))
        self.back = nn.Sequential(nn.Flatten(), nn.Linear(width, 64), nn.Unflatten(1, (4, 4, 4)), nn.Dropout2d(0.2))

    def forward(self, images):
        maps = F.dropout2d(self.maps(images), 0.1, self.training)
        rows = torch.flatten(maps, 1)
        return self.dropout2d(rows)


class Anything(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)
        self.drop = nn.Dropout2d(0.2)

    def forward(self, x):
        return self.drop(self.fc(x))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(16, 64 * 49)
        self.drop = nn.Dropout2d(0.2)

    def forward(self, code):
        rows = self.fc(code.view(code.size(0), -1))
        return self.drop(rows.view(-1, 64, 7, 7))
