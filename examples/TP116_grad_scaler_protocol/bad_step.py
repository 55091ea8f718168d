"""Scaled gradients and a plain step; an unscaled loss and a scaler's step."""
import torch
import torch.nn.functional as F
from torch import nn


def train(model, batches, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for inputs, targets in batches:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = F.mse_loss(model(inputs), targets)
        scaler.scale(loss).backward()
        optimizer.step()  # expect: TP116:9
        scaler.update()


class Trainer:
    def __init__(self, model: nn.Module):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())
        self.scaler = torch.amp.GradScaler("cuda")

    def training_step(self, inputs, targets):
        self.optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = F.mse_loss(self.model(inputs), targets)
        loss.backward()  # expect: TP116:9
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()
