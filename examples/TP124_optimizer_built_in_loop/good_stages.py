"""Stages with training loops of their own, conditions, and optimizers without a memory."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR


def stages(model: nn.Module, loader, rates, epochs):
    for rate in rates:
        optimizer = torch.optim.Adam(model.parameters(), lr=rate)
        for _ in range(epochs):
            for x, y in loader:
                optimizer.zero_grad()
                F.cross_entropy(model(x), y).backward()
                optimizer.step()


def tasks(model: nn.Module, loaders):
    for loader in loaders:
        optimizer = torch.optim.Adam(model.parameters())
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()


def unfreezing(model: nn.Sequential, loader, epochs):
    optimizer = torch.optim.Adam(model[-1].parameters())
    for epoch in range(epochs):
        if epoch == 3:
            optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()


def gradual(model: nn.Sequential, loader):
    for epoch in range(len(model)):
        model[-epoch - 1].requires_grad_(True)
        optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad])
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()


def layer_by_layer(model: nn.Sequential, loader):
    for epoch in range(len(model)):
        optimizer = torch.optim.Adam(model[epoch].parameters())
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()


def without_memory(model: nn.Module, loader, epochs):
    for epoch in range(epochs):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1 / (epoch + 1))
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()


def restarts(model: nn.Module, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(epochs):
        scheduler = OneCycleLR(optimizer, max_lr=0.1, total_steps=len(loader))
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
            scheduler.step()


def train_epochs(net, loader, epochs):
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            net(x).square().mean().backward()
            optimizer.step()


def one_task_after_the_other(net, tasks):
    for loader in tasks:
        train_epochs(net, loader, epochs=5)
