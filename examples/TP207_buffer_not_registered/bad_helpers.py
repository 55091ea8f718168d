import torch
from torch import nn


class Normalize(nn.Module):
    def __init__(self, mean, width):
        super().__init__()
        self.mean = torch.tensor(mean).view(1, -1, 1, 1)  # expect: TP207:9
        self.importance = torch.FloatTensor(width)  # expect: TP207:9

    def forward(self, images, targets):
        error = (images - self.mean - targets) ** 2
        return self.reduced(error)

    def reduced(self, error):
        return (error * self.importance).mean()
