"""A scaler that is never updated, and one that is updated too early."""
import torch
import torch.nn.functional as F


def run_epoch(model, batches, optimizer, scaler):
    for inputs, targets in batches:
        optimizer.zero_grad(set_to_none=True)  # expect: TP912:9
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(inputs), targets)
        scaler.scale(loss).backward()
        scaler.step(optimizer)  # expect: TP116:9


def train(model, batches, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    for _ in range(epochs):
        run_epoch(model, batches, optimizer, scaler)


def train_updating_first(model, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    for inputs, targets in batches:
        optimizer.zero_grad()
        scaler.scale(F.cross_entropy(model(inputs), targets)).backward()
        scaler.update()  # expect: TP116:9
        scaler.step(optimizer)
