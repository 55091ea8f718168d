"""Layers that come after the optimizer: in __init__, in a derived class, through a helper and in a method."""
import torch
from torch import nn, optim


class Policy(nn.Module):
    def __init__(self, states, actions):
        super().__init__()
        self.hidden = nn.Linear(states, 64)
        self.optimizer = optim.Adam(self.parameters(), lr=1e-3)
        self.logits = nn.Linear(64, actions)  # expect: TP218:9

    def forward(self, state):
        return self.logits(torch.relu(self.hidden(state)))

    def learn(self, state, action):
        self.optimizer.zero_grad()
        nn.functional.cross_entropy(self(state), action).backward()
        self.optimizer.step()


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Linear(8, width)
        self.optimizer = optim.Adam(self.parameters(), lr=1e-3)

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self(x), y).backward()
            self.optimizer.step()


class Regressor(Model):
    def __init__(self, width=16):
        super().__init__(width)
        self.out = nn.Linear(width, 1)  # expect: TP218:9

    def forward(self, x):
        return self.out(torch.relu(self.body(x)))


class Trainer:
    def __init__(self, model: nn.Module, lr=0.1):
        self.model = model
        self.optimizer = optim.SGD(self.model.parameters(), lr=lr)

    def adapt(self, classes):
        self.model.head = nn.Linear(16, classes)  # expect: TP218:9

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()


def new_head(model, classes):
    model.head = nn.Linear(16, classes)


def finetune(model: nn.Module, loader):
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    new_head(model, 10)  # expect: TP218:5
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
