"""Sums are meant to add up."""
import torch
import torch.nn.functional as F
from torch import nn


def by_reduction(model: nn.Module, loader, every):
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
    criterion = nn.CrossEntropyLoss(reduction="sum")  # expect: TP922:17
    for i, (x, y) in enumerate(loader):
        criterion(model(x), y).backward()
        if (i + 1) % every == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


def by_rate(model: nn.Module, loader, rate, every):
    optimizer = torch.optim.SGD(model.parameters(), lr=rate / every)
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()
        if (i + 1) % every == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


def reinforce(policy: nn.Module, optimizer: torch.optim.Optimizer, episodes, batch_size):
    for number, (states, actions, returns) in enumerate(episodes, 1):
        chosen = F.log_softmax(policy(states), dim=1).gather(1, actions)
        loss = -(chosen * returns).sum()
        loss.backward()
        if number % batch_size == 0 or number == len(episodes):
            optimizer.step()
            optimizer.zero_grad()


def contrastive(model: nn.Module, optimizer: torch.optim.Optimizer, loader, accumulated):
    """Each part goes backward through a loss over all of them, so that the gradients of the parts add up."""
    for parts in loader:
        with torch.no_grad():
            known = [model(part) for part in parts]
        optimizer.zero_grad()
        for j in range(accumulated):
            every = torch.cat([*known[:j], model(parts[j]), *known[j + 1:]])
            loss = F.cross_entropy(every @ every.T, torch.arange(len(every)))
            loss.backward()
        optimizer.step()
