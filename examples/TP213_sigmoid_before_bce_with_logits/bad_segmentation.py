import torch
from torch import nn


class Segmenter(nn.Module):
    def __init__(self, classes=1):
        super().__init__()
        self.classes = classes
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU())  # expect: TP923:35
        self.head = nn.Conv2d(8, classes, 1)

    def forward(self, image):
        scores = self.head(self.body(image))
        return torch.sigmoid(scores)  # expect: TP213:16


def fit(loader):
    net = Segmenter()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss() if net.classes > 1 else nn.BCEWithLogitsLoss()
    net.train()
    for images, masks in loader:
        optimizer.zero_grad()
        loss = criterion(net(images), masks)
        loss.backward()
        optimizer.step()
