import copy

import torch
from torch import nn, optim


def train_epoch(model, batches, optimizer):
    for x, y in batches:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()


def fit(model, batches, validate, epochs):
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    best, best_state, best_optimizer = 0.0, None, None
    for epoch in range(epochs):
        model.train()
        train_epoch(model, batches, optimizer)
        accuracy = validate(model)
        if accuracy > best:
            best = accuracy
            best_state = copy.copy(model.state_dict())  # expect: TP007:36
            best_optimizer = {"epoch": epoch, "state": optimizer.state_dict().copy()}  # expect: TP007:56
    torch.save({"model": best_state, "optimizer": best_optimizer}, "best.pt")
    return best


def fit_on_cpu(model, batches, validate):
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    best, weights = None, None
    for _ in range(5):
        train_epoch(model, batches, optimizer)
        score = validate(model)
        if best is None or score > best:
            best = score
            weights = {name: value.detach().cpu() for name, value in model.state_dict().items()}  # expect: TP007:70
    return weights


def snapshots(model, batches):
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    states = []
    for _ in range(5):
        train_epoch(model, batches, optimizer)
        states.append(model.state_dict())  # expect: TP007:23
    return states
