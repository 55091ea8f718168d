"""Clipping with scalers: unscaled first, in a helper, under a condition; switched off; by hand."""
import torch
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_


def train(model, batches, optimizer, scaler, max_norm=None):
    for inputs, targets in batches:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = F.mse_loss(model(inputs), targets)
        scaler.scale(loss).backward()
        if max_norm is not None:
            scaler.unscale_(optimizer)
            clip_grad_norm_(model.parameters(), max_norm)
        scaler.step(optimizer)
        scaler.update()


class Trainer:
    def __init__(self, model, use_amp):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())
        self.scaler = torch.amp.GradScaler("cuda") if use_amp else None

    def unscale(self):
        if self.scaler is not None:
            self.scaler.unscale_(self.optimizer)

    def fit(self, batches):
        for inputs, targets in batches:
            self.optimizer.zero_grad()
            loss = F.mse_loss(self.model(inputs), targets)
            if self.scaler is None:
                loss.backward()
            else:
                self.scaler.scale(loss).backward()
            self.unscale()
            clip_grad_norm_(self.model.parameters(), 1.0)
            if self.scaler is None:
                self.optimizer.step()
            else:
                self.scaler.step(self.optimizer)
                self.scaler.update()


def train_in_full_precision(model, batches, optimizer):
    scaler = torch.amp.GradScaler("cuda", enabled=False)
    for inputs, targets in batches:
        optimizer.zero_grad()
        scaler.scale(F.mse_loss(model(inputs), targets)).backward()
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()


def train_with_a_scaled_limit(model, batches, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for inputs, targets in batches:
        optimizer.zero_grad()
        scaler.scale(F.mse_loss(model(inputs), targets)).backward()
        clip_grad_norm_(model.parameters(), 1.0 * scaler.get_scale())
        scaler.step(optimizer)
        scaler.update()
