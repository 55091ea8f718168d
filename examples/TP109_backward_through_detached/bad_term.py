"""A penalty that is a number weighs on the loss, and moves no weight."""
import torch
from torch import nn

net = nn.Linear(20, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss()


def train(x, y, strength=1e-3):
    optimizer.zero_grad()
    loss = criterion(net(x), y)
    penalty = sum(p.abs().sum() for p in net.parameters())
    loss = loss + strength * penalty.item()  # expect: TP109:30
    loss.backward()
    optimizer.step()


def train_with_weights(x, y):
    optimizer.zero_grad()
    loss = criterion(net(x), y)
    for parameter in net.parameters():
        loss += 1e-4 * float(parameter.norm())  # expect: TP109:24
    loss.backward()
    optimizer.step()
