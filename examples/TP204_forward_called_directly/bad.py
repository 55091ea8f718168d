import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 4)

    def forward(self, x):
        return self.layer.forward(x)  # expect: TP204:16

    def embed(self, x):
        return self.forward(x)  # expect: TP204:16


def encode(x: torch.Tensor, encoder: Encoder):
    return encoder.forward(x)  # expect: TP204:12
