import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, classes))
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def forward(self, x):
        return self.net(x)

    def train(self, loader, epochs=10):  # expect: TP222:5
        for _ in range(epochs):
            for x, y in loader:
                self.optimizer.zero_grad()
                nn.functional.cross_entropy(self(x), y).backward()
                self.optimizer.step()


class Layer(nn.Linear):
    def train(self, positive, negative):  # expect: TP222:5
        return self(positive).square().mean() - self(negative).square().mean()


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.policy = nn.Linear(4, 2)
        self.memory = []

    def train(self):  # expect: TP222:5
        self.memory.clear()

    def forward(self, state):
        return self.policy(state)
