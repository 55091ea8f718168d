"""The loss is turned into numbers and back, so the model never learns."""
import torch
from torch import nn, optim

model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = optim.Adam(model.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()


def train_step(parts):
    losses = []
    for inputs, labels in parts:
        losses.append(criterion(model(inputs), labels))
    loss = torch.tensor(losses, requires_grad=True).mean()  # expect: TP109:12
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def train_step_weighted(inputs, labels, weight):
    loss = criterion(model(inputs), labels)
    loss = torch.tensor(weight * loss.item(), requires_grad=True)  # expect: TP109:12
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def train_step_detached(inputs, labels):
    optimizer.zero_grad()
    loss = criterion(model(inputs).detach(), labels)  # expect: TP109:22
    loss.requires_grad_()
    loss.backward()
    optimizer.step()
