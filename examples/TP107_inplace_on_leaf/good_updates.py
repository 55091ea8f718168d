import torch
from torch import nn


def fit(model: nn.Module, batches, lr):
    for x, y in batches:
        model.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        with torch.no_grad():
            for p in model.parameters():
                p.sub_(lr * p.grad)


def fit_data(model: nn.Module, batches, lr):
    for x, y in batches:
        model.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        for p in model.parameters():
            p.data -= lr * p.grad
            p.grad.zero_()


@torch.no_grad()
def average(target: nn.Module, online: nn.Module, tau):
    for t, o in zip(target.parameters(), online.parameters()):
        t.mul_(1 - tau).add_(o, alpha=tau)


def new_leaf(x, y):
    w = torch.zeros(3, requires_grad=True)
    for _ in range(100):
        loss = (x @ w - y).pow(2).mean()
        loss.backward()
        w = (w - 0.1 * w.grad).detach().requires_grad_()
    return w


def new_leaf_in_two_lines(x, y):
    w = torch.zeros(3, requires_grad=True)
    for _ in range(100):
        loss = (x @ w - y).pow(2).mean()
        loss.backward()
        with torch.no_grad():
            w = w - 0.1 * w.grad
        w.requires_grad = True
    return w
