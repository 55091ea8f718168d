import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.qkv = nn.Linear(width, 3 * width)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        mixed = torch.softmax(q @ k.transpose(-2, -1), dim=-1) @ v
        out = nn.Linear(self.width, self.width)(mixed)  # expect: TP219:15
        return nn.LayerNorm(self.width)(x + out)  # expect: TP219:16
