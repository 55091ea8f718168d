"""Never on a GPU."""
import torch
from torch import nn


def train(loader, device="cpu"):
    net = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()).to(device)
    optimizer = torch.optim.AdamW(net.parameters())
    for images, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(images.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
