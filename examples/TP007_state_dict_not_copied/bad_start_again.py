import torch
from torch import nn, optim


def train(model, x, y, lr):
    optimizer = optim.SGD(model.parameters(), lr=lr)
    for _ in range(10):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    return loss.item()


def search(model, x, y):
    start = model.state_dict()  # expect: TP007:13
    results = {}
    for lr in (0.1, 0.01, 0.001):
        model.load_state_dict(start)
        results[lr] = train(model, x, y, lr)
    return results


class Finder:
    def __init__(self, model: nn.Module, optimizer: optim.Optimizer):
        self.model = model
        self.optimizer = optimizer
        self.initial = model.state_dict()

    def remember(self):
        self.model_state = self.model.state_dict()  # expect: TP007:28
        self.optimizer_state = self.optimizer.state_dict()  # expect: TP007:32

    def run(self, x, y):
        self.remember()
        for _ in range(10):
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.model(x), y).backward()
            self.optimizer.step()

    def reset(self):
        self.model.load_state_dict(self.model_state)
        self.optimizer.load_state_dict(self.optimizer_state)


def two_optimizers(first: nn.Module, second: nn.Module, x):
    one, two = optim.Adam(first.parameters()), optim.Adam(second.parameters())
    first(x).sum().backward()
    one.step()
    two.load_state_dict(one.state_dict())  # expect: TP007:5
    second(x).sum().backward()
    two.step()
    one.step()


def two_networks(online: nn.Module, x):
    with torch.device("meta"):
        target = nn.Linear(4, 4)
    target.load_state_dict(online.state_dict(), assign=True)  # expect: TP007:5
    optimizer = optim.SGD(online.parameters(), lr=0.1)
    (online(x) - target(x).detach()).square().mean().backward()
    optimizer.step()
    return target
