import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width, device):
        super().__init__()
        self.query = nn.Parameter(torch.randn(width)).to(device)  # expect: TP108:9
        self.key = nn.Linear(width, width)

    def forward(self, x):
        return (self.key(x) @ self.query).softmax(dim=-1)
