import torch
from torch import nn


class SmallConvNet(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 16, 3), nn.BatchNorm2d(16), nn.ReLU())  # expect: TP923:39
        self.head = nn.Linear(16, classes)

    def forward(self, x):
        return self.head(self.features(x).mean(dim=(2, 3)))


class Trainer:
    def __init__(self, model, optimizer, train_loader, val_loader):
        self.model = model
        self.optimizer = optimizer
        self.criterion = nn.CrossEntropyLoss()
        self.train_loader, self.val_loader = train_loader, val_loader

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            for images, labels in self.train_loader:
                self.optimizer.zero_grad()
                loss = self.criterion(self.model(images), labels)
                loss.backward()
                self.optimizer.step()
            print(epoch, self.validate())

    @torch.no_grad()
    def validate(self):
        correct = seen = 0
        for images, labels in self.val_loader:
            logits = self.model(images)  # expect: TP201:22
            correct += (logits.argmax(dim=1) == labels).sum().item()
            seen += labels.numel()
        return correct / seen
