import torch
import torch.nn.functional as F
from torch import nn


class Pooling(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.hidden = nn.Linear(width, width)
        self.score = nn.Linear(width, 1)

    def forward(self, steps):
        weights = F.softmax(self.score(torch.tanh(self.hidden(steps))), dim=-1)  # expect: TP226:19
        return (weights * steps).sum(dim=1)


class Gate(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gate = nn.Sequential(
            nn.Linear(width, 16),
            nn.Tanh(),
            nn.Linear(16, 1),
            nn.Softmax(dim=-1),  # expect: TP226:13
        )
        self.binary = nn.Sequential(
            nn.Flatten(),
            nn.Linear(width, 1),
            nn.LogSoftmax(dim=1),  # expect: TP226:13
        )

    def forward(self, x):
        return self.gate(x) * self.binary(x)


class SaliencyMap(nn.Module):
    def __init__(self):
        super().__init__()
        self.squeeze = nn.Conv2d(64, 1, kernel_size=1)
        self.normalize = nn.Softmax2d()

    def forward(self, maps):
        return maps * self.normalize(self.squeeze(maps))  # expect: TP226:23


def predict(images, layer_count=3):
    classify = nn.Linear(784, 1)
    rows = images.view(images.size(0), -1)
    return torch.softmax(classify(rows), dim=1)  # expect: TP226:12
