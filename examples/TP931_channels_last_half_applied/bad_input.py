"""Every batch is converted, the weights are copied in each forward pass."""
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, padding=1)
        self.second = nn.Conv2d(8, 8, 3, padding=1)

    def forward(self, images):
        return self.second(torch.relu(self.first(images)))


class Service:
    def __init__(self):
        self.encoder = Encoder().eval()

    @torch.inference_mode()
    def embed(self, images):
        images = images.contiguous(memory_format=torch.channels_last)  # expect: TP931:18
        return self.encoder(images).mean((2, 3))
