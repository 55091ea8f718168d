"""A trainer, and functions that know their arguments only by what they do with them."""
import torch
from torch import nn


class Trainer:
    def __init__(self, model: nn.Module):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cuda")

    def set_mode(self, training):
        self.model.train() if training else self.model.eval  # expect: TP123:45

    def fit(self, batches):
        for inputs in batches:
            self.optimizer.zero_grad()
            self.scaler.scale(self.model(inputs).mean()).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
            [group.grad.zero_ for group in self.model.parameters()]  # expect: TP123:14


def accuracy(model, batches):
    model.eval  # expect: TP123:5
    with torch.no_grad():
        return sum((model(inputs).argmax(1) == targets).sum().item() for inputs, targets in batches)


def update(loss, optimizer):
    optimizer.zero_grad()
    loss.backward  # expect: TP123:5
    optimizer.step()
