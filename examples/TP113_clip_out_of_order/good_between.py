"""Backward, clip, step: under a condition, in helpers, accumulated."""
import torch
import torch.nn.functional as F
from torch import nn


def train(model, batches, max_norm=None, every=4):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for i, (inputs, targets) in enumerate(batches):
        loss = F.mse_loss(model(inputs), targets) / every
        loss.backward()
        if (i + 1) % every == 0:  # expect: TP917:9
            if max_norm is not None:
                nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            optimizer.step()
            optimizer.zero_grad()


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def backward(self, loss):
        self.optimizer.zero_grad()
        loss.backward()

    def apply_gradients(self):
        nn.utils.clip_grad_value_(self.model.parameters(), 1.0)
        self.optimizer.step()

    def fit(self, batches):
        for inputs, targets in batches:
            self.backward(F.mse_loss(self.model(inputs), targets))
            self.apply_gradients()


def train_on_two_losses(model, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for first, second in batches:
        optimizer.zero_grad()
        model(first).mean().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        model(second).mean().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
