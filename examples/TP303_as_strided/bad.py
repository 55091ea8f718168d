import torch
from torch import as_strided


def windows(signal, size, hop):
    count = (signal.numel() - size) // hop + 1
    return torch.as_strided(signal, (count, size), (hop, 1))  # expect: TP303:12


def band(width):
    mask = torch.zeros(width, width)
    mask.as_strided((width,), (width + 1,)).fill_(1.0)  # expect: TP303:5
    return as_strided(mask, (width, 2), (width + 1, 1))  # expect: TP303:12


class Frames(torch.nn.Module):
    def forward(self, x):
        batch, length = x.shape
        return x.as_strided((batch, length - 3, 4), (length, 1, 1))  # expect: TP303:16
