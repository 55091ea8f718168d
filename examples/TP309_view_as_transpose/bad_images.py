"""Pixels as a sequence, and a batch with the channels last: the pixels of all channels are mixed."""
import torch
import torch.nn as nn


class PatchEncoder(nn.Module):
    def __init__(self, width=64, heads=4):
        super().__init__()
        self.patches = nn.Conv2d(3, width, 16, 16)
        self.layer = nn.TransformerEncoderLayer(width, heads, batch_first=True)

    def forward(self, images):
        x = self.patches(images)
        b, c, h, w = x.shape
        x = x.reshape(b, h * w, c)  # expect: TP309:13
        return self.layer(x)


def channels_last(images):
    n, c, h, w = images.size()
    return images.view(n, h, w, c)  # expect: TP309:12


def as_sequence(features: torch.Tensor):
    batch, channels, height, width = features.shape
    pixels = torch.reshape(features, (batch, -1, channels))  # expect: TP309:14
    return pixels, height * width
