"""Schedulers where they belong."""
import torch
import torch.nn.functional as F
from torch import optim
from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts, ExponentialLR, ReduceLROnPlateau, StepLR


def train_epoch(model, optimizer, batches):
    model.train()
    total = 0.0
    for x, y in batches:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total


def after_each_epoch(model, batches, epochs=10):
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, step_size=3)
    for _ in range(epochs):
        train_epoch(model, optimizer, batches)
        scheduler.step()


def not_before_the_first(model, batches, epochs=10):
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    scheduler = ExponentialLR(optimizer, gamma=0.9)
    for epoch in range(epochs):
        if epoch > 0:
            scheduler.step()
        train_epoch(model, optimizer, batches)


def on_a_plateau(model, batches, epochs=10):
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    scheduler = ReduceLROnPlateau(optimizer, patience=2)
    best = float("inf")
    for _ in range(epochs):
        scheduler.step(best)
        best = min(best, train_epoch(model, optimizer, batches))


def told_the_epoch(model, batches, start, epochs=10):
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    scheduler = CosineAnnealingWarmRestarts(optimizer, T_0=3)
    for epoch in range(start, epochs):
        scheduler.step(epoch)
        train_epoch(model, optimizer, batches)


def resumed(model, batches, start, epochs=10):
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, step_size=3)
    for _ in range(start):
        scheduler.step()
    for _ in range(start, epochs):
        train_epoch(model, optimizer, batches)
        scheduler.step()
    torch.save(model.state_dict(), "model.pt")


def set_back(model, batches, epochs=10):
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, step_size=3)
    scheduler.last_epoch = -1
    for _ in range(epochs):
        scheduler.step()
        train_epoch(model, optimizer, batches)


def once_it_has_stepped(model, loader, began, epochs=10):
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    scheduler = ExponentialLR(optimizer, gamma=0.9)
    for epoch in range(epochs):
        for x, y in loader:
            if epoch or began:
                scheduler.step()
            optimizer.zero_grad()
            F.mse_loss(model(x), y).backward()
            optimizer.step()
