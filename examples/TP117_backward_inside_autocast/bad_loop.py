"""The backward pass is indented one level too far."""
import torch
import torch.nn.functional as F


def train(model, batches, optimizer, device):
    for inputs, targets in batches:
        optimizer.zero_grad()
        with torch.autocast(device_type=device, dtype=torch.bfloat16):
            loss = F.cross_entropy(model(inputs), targets)
            loss.backward()  # expect: TP117:13
        optimizer.step()


def train_scaled(model, batches, optimizer, use_amp):
    scaler = torch.amp.GradScaler("cuda", enabled=use_amp)
    for inputs, targets in batches:
        optimizer.zero_grad()
        with torch.amp.autocast("cuda", enabled=use_amp):
            loss = F.cross_entropy(model(inputs), targets)
            scaler.scale(loss).backward()  # expect: TP117:13
            scaler.step(optimizer)
            scaler.update()
