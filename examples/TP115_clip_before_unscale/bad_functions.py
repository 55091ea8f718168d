"""Unscaling that comes too late, and clipping that hides in a helper."""
import torch
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_, clip_grad_value_


def clip(model, limit):
    clip_grad_value_(model.parameters(), limit)  # expect: TP115:5


def train(model, batches, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for inputs, targets in batches:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = F.mse_loss(model(inputs), targets)
        scaler.scale(loss).backward()
        clip(model, 0.1)
        scaler.step(optimizer)
        scaler.update()


def accumulate(model, batches, optimizer, scaler, every=8):
    for i, (inputs, targets) in enumerate(batches):
        with torch.autocast("cuda"):
            loss = F.mse_loss(model(inputs), targets) / every
        scaled = scaler.scale(loss)
        scaled.backward()
        if (i + 1) % every == 0:  # expect: TP917:9
            clip_grad_norm_(model.parameters(), 1.0)  # expect: TP115:13
            scaler.unscale_(optimizer)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
