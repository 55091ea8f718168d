import torch
import torch.nn.functional as F
from torch import nn
from torchvision.models import resnet18, vgg16


def tune_with_frozen_statistics(loader):
    model = resnet18(weights="DEFAULT")
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
    model.eval()
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()


def restyle(image, target):
    features = vgg16(weights="DEFAULT").features
    features.eval()
    with torch.no_grad():
        wanted = features(target)
    image = image.clone().requires_grad_()
    optimizer = torch.optim.Adam([image])
    for _ in range(100):
        optimizer.zero_grad()
        F.mse_loss(features(image), wanted).backward()
        optimizer.step()
    return image.detach()


def no_difference(loader, x_test):
    model = nn.Sequential(nn.Linear(8, 16), nn.LayerNorm(16), nn.ReLU(), nn.Linear(16, 2))
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        model.eval()
        with torch.no_grad():
            print(model(x_test).argmax(1))


class FrozenStatistics(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.Linear(16, 2))

    def train(self, mode=True):
        super().train(mode)
        self.layers[1].eval()
        return self

    def forward(self, x):
        return self.layers(x)


def overridden(loader, x_test):
    model = FrozenStatistics()
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        model.train()
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        model.eval()
        with torch.no_grad():
            print(model(x_test).argmax(1))
