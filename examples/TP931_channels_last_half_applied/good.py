"""Both are converted."""
import torch
from torch import nn


def classify(batches, device):
    net = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()).eval()
    net = net.to(device, memory_format=torch.channels_last)
    with torch.inference_mode():
        return [net(images.to(device, memory_format=torch.channels_last)) for images in batches]
