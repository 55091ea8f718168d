"""Loops over batches, layers and steps; training with batches of one; gradients of something else."""
import torch
from torch import nn


def train(net: nn.Module, loader, samples: torch.Tensor):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    for x in samples:
        optimizer.zero_grad()
        net(x).mean().backward()
        optimizer.step()


def penalties(net: nn.Module, batches: list, samples: torch.Tensor):
    found = []
    for batch in batches:
        batch.requires_grad_()
        found.append(torch.autograd.grad(net(batch).sum(), batch)[0].norm())
    for weight in samples:
        whole = net(torch.ones(1, 3)).sum()
        found.append(torch.autograd.grad(whole, list(net.parameters()))[0].norm() * weight)
    return found
