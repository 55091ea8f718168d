"""The format is chosen once, for the model and the batches."""
import torch
from torch import nn


def run(batches, fast):
    layout = torch.channels_last if fast else torch.contiguous_format
    net = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU()).eval().to(memory_format=layout)
    with torch.inference_mode():
        return [net(images.to(memory_format=layout)).sum().item() for images in batches]
