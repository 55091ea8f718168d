"""The gradients of the last batches leak into the next epoch."""
import torch
import torch.nn.functional as F
from torch import nn


def train(model: nn.Module, loader, every, epochs):
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(epochs):
        for i, (x, y) in enumerate(loader, start=1):
            loss = F.cross_entropy(model(x), y) / every
            loss.backward()
            if i % every == 0:  # expect: TP917:13
                optimizer.step()
                optimizer.zero_grad()


def with_a_counter(model: nn.Module, loader, every, epochs):
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(epochs):
        waiting = 0
        optimizer.zero_grad()
        for x, y in loader:
            loss = F.cross_entropy(model(x), y) / every
            loss.backward()
            waiting += 1
            if waiting == every:  # expect: TP917:13
                optimizer.step()
                optimizer.zero_grad()
                waiting = 0
