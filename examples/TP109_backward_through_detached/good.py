"""The loss keeps its graph, and only the log gets numbers."""
import torch
from torch import nn, optim

model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = optim.Adam(model.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()


def train_step(parts):
    losses = [criterion(model(inputs), labels) for inputs, labels in parts]
    loss = torch.stack(losses).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def train_epoch(batches):
    running = torch.tensor(0.0)
    for inputs, labels in batches:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
        running += loss.item()
    return running


def train_with_penalty(inputs, labels, strength):
    optimizer.zero_grad()
    loss = criterion(model(inputs), labels)
    penalty = torch.tensor(0.0)
    for parameter in model.parameters():
        penalty = penalty + parameter.abs().sum()
    loss = loss + strength * penalty
    loss.backward()
    optimizer.step()


def phases(inputs, labels, training):
    optimizer.zero_grad()
    if training:
        scores = model(inputs)
    else:
        with torch.no_grad():
            scores = model(inputs)
    loss = criterion(scores, labels)
    if training:
        loss.backward()
        optimizer.step()
    return float(loss)
