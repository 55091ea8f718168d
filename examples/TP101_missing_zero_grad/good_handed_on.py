"""What code does that cannot be read is unknown: it may clear the gradients."""
import torch
from my_hooks import Hooks, scaled_step
from torch import nn


class Loop:
    def __init__(self, model: nn.Module):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.hooks = Hooks()

    def fit(self, batches):
        for x, y in batches:
            loss = nn.functional.mse_loss(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.hooks.after_step(self)


class Scaler:
    """Goes backward and steps for a loop that clears the gradients itself."""

    def __init__(self):
        self.scaler = torch.amp.GradScaler("cuda")

    def __call__(self, loss, optimizer):
        self.scaler.scale(loss).backward()
        self.scaler.step(optimizer)
        self.scaler.update()


def with_amp(model, optimizer, batches):
    for x, y in batches:
        loss = nn.functional.mse_loss(model(x), y)
        scaled_step(loss, optimizer)
