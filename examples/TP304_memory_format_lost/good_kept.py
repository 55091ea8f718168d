"""The format is named, or given up on purpose for a view."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.fc = nn.Linear(8 * 16, 10)

    def forward(self, x):
        x = F.relu(self.conv(x)).contiguous(memory_format=torch.channels_last)
        n, c, h, w = x.shape
        weights = x.view(n, c, -1).softmax(-1).view(n, c, h, w)
        x = F.adaptive_avg_pool2d(x * weights, 4)
        pixels = x.permute(0, 2, 3, 1).contiguous()
        return self.fc(x.flatten(1)), self.fc(x.reshape(n, -1)), self.fc(x.contiguous().view(n, -1)), pixels


def run(loader):
    model = Net().to(memory_format=torch.channels_last).eval()
    with torch.no_grad():
        return [model(images.to(memory_format=torch.channels_last)) for images, _ in loader]


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)

    def forward(self, x):
        x = self.conv(x).contiguous()
        return x.view(x.size(0), -1)
