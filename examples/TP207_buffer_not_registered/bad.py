import math

import torch
from torch import nn


class PositionalEncoding(nn.Module):
    def __init__(self, width, longest=512):
        super().__init__()
        pe = torch.zeros(longest, width)
        position = torch.arange(longest).unsqueeze(1)
        rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
        pe[:, 0::2] = torch.sin(position * rates)
        pe[:, 1::2] = torch.cos(position * rates)
        self.pe = pe.unsqueeze(0)  # expect: TP207:9

    def forward(self, x):
        return x + self.pe[:, : x.size(1)]


class Encoder(nn.Module):
    def __init__(self, tokens, width):
        super().__init__()
        self.embed = nn.Embedding(tokens, width)
        self.position = PositionalEncoding(width)

    def forward(self, ids):
        return self.position(self.embed(ids))


if __name__ == "__main__":
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    encoder = Encoder(100, 16).to(device)
    print(encoder(torch.randint(0, 100, (2, 10), device=device)).shape)
