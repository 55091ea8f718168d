"""A trainer whose epoch builds its optimizer, and one whose schedule never gets on."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import StepLR


class Trainer:
    def __init__(self, model: nn.Module, n_epochs: int):
        self.model = model
        self.n_epochs = n_epochs

    def run_epoch(self, loader):
        opt = torch.optim.RMSprop(self.model.parameters())  # expect: TP124:15
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(self.model(x), y).backward()
            opt.step()

    def fit(self, loader):
        for _ in range(self.n_epochs):
            self.run_epoch(loader)


def fit(model: nn.Module, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(epochs):
        scheduler = StepLR(optimizer, step_size=5)  # expect: TP124:21
        for x, y in loader:
            optimizer.zero_grad()
            F.mse_loss(model(x), y).backward()
            optimizer.step()
        scheduler.step()
