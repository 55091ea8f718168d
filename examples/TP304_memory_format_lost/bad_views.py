"""Flattened for the classifier, after everything ran in channels_last."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.fc = nn.Linear(8 * 16, 10)

    def forward(self, x):
        x = F.relu(self.conv(x))
        x = F.adaptive_avg_pool2d(x, 4)
        x = x.view(x.size(0), -1)  # expect: TP304:13
        return self.fc(x)


class Trainer:
    def __init__(self, loader):
        self.loader = loader
        self.model = Net().to(memory_format=torch.channels_last)

    def run(self):
        self.model.eval()
        classes = []
        with torch.no_grad():  # expect: TP913:14
            for images, _ in self.loader:
                scores = self.model(images.contiguous(memory_format=torch.channels_last))
                classes.append(scores.argmax(1))
        return torch.cat(classes)
