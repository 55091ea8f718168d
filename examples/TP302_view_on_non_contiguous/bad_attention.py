import math

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.depth = width // heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.out = nn.Linear(width, width)

    def split(self, x):
        b, t, _ = x.shape
        return x.view(b, t, self.heads, self.depth).transpose(1, 2)

    def forward(self, x, mask=None):
        b, t, width = x.size()
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.depth)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        context = torch.softmax(scores, dim=-1) @ v
        merged = context.permute(0, 2, 1, 3)
        return self.out(merged.view(b, t, width))  # expect: TP302:25
