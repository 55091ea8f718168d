"""Sizes that differ, no convolutions, or reproducible on purpose."""
import torch
import torchvision
from torch import nn
from torch.utils.data import DataLoader
from torchvision import transforms


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3)
        self.head = nn.Linear(16, 10)

    def forward(self, x):
        return self.head(torch.relu(self.conv(x)).mean((2, 3)))


def train(net, loader, device):
    net.to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for images, labels in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            output = net(images.to(device, non_blocking=True))
            loss = nn.functional.cross_entropy(output, labels.to(device, non_blocking=True))
        loss.backward()
        optimizer.step()


def main(root, device):
    steps = transforms.Compose([transforms.Resize(256), transforms.ToTensor()])
    data = torchvision.datasets.ImageFolder(root, steps)
    train(Net(), DataLoader(data, batch_size=1, shuffle=True, num_workers=2, pin_memory=True), device)
