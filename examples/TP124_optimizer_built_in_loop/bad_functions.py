"""The loop over epochs calls a function that builds the optimizer."""
import torch
import torch.nn.functional as F
from torch import nn


def build(net, lr):
    params = [p for p in net.parameters() if p.requires_grad]
    return torch.optim.AdamW(params, lr=lr)  # expect: TP124:12


def train_epoch(net, loader):
    net.train()
    optimizer = build(net, 1e-3)
    for x, y in loader:
        loss = F.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main(loader):
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    for epoch in range(10):
        train_epoch(net, loader)


def repeat(loader):
    net = nn.Linear(4, 2)
    for i in range(10):
        train_one_epoch(net, loader)


def train_one_epoch(net, loader):
    optimizer = torch.optim.Adam(net.parameters())  # expect: TP124:17
    for x, y in loader:
        loss = F.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
