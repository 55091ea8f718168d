"""Scalers used in order: plain, accumulated, beside a branch in full precision, unscaled and stepped by hand."""
import torch
import torch.nn.functional as F


def accumulate(model, batches, optimizer, scaler, every=4):
    for i, (inputs, targets) in enumerate(batches):
        with torch.autocast("cuda"):
            loss = F.mse_loss(model(inputs), targets) / every
        scaler.scale(loss).backward()
        if (i + 1) % every == 0:  # expect: TP917:9
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


def train(model, batches, optimizer, use_amp):
    scaler = torch.amp.GradScaler("cuda") if use_amp else None
    for inputs, targets in batches:
        optimizer.zero_grad()
        loss = F.mse_loss(model(inputs), targets)
        if scaler is not None:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()


def train_and_inspect(model, batches, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for inputs, targets in batches:
        optimizer.zero_grad()
        scaler.scale(F.mse_loss(model(inputs), targets)).backward()
        scaler.unscale_(optimizer)
        if all(p.grad.isfinite().all() for p in model.parameters()):
            optimizer.step()
        scaler.update()


def train_switched_off(model, batches, optimizer):
    scaler = torch.amp.GradScaler("cuda", enabled=False)
    for inputs, targets in batches:
        optimizer.zero_grad()
        scaler.scale(F.mse_loss(model(inputs), targets)).backward()
        optimizer.step()
