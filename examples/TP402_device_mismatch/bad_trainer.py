"""A class that keeps model and loaders; a target that is made where it is needed."""
import torch
import torch.nn as nn
import torchvision
from torch.utils.data import DataLoader
from torchvision import transforms


class Discriminator(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(784, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))

    def forward(self, images):
        return self.body(images)


class Trainer:
    def __init__(self) -> None:
        self.device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
        data = torchvision.datasets.MNIST("data", download=True, transform=transforms.ToTensor())
        self.loader = DataLoader(data, batch_size=64, shuffle=True, num_workers=2)  # expect: TP953:23
        self.net = Discriminator()
        self.net.to(self.device)
        self.criterion = nn.BCEWithLogitsLoss()
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=2e-4)

    def step(self, images):
        self.optimizer.zero_grad()
        scores = self.net(images)
        loss = self.criterion(scores, torch.ones(scores.size(0), 1))  # expect: TP402:16
        loss.backward()
        self.optimizer.step()

    def fit(self) -> None:
        for images, _ in self.loader:
            self.step(images.to(self.device))

    def test(self) -> None:
        self.net.eval()
        with torch.no_grad():
            for images, _ in self.loader:
                print(torch.sigmoid(self.net(images)).mean())  # expect: TP402:37
