import contextlib

import torch
import torch.nn.functional as F
from torch import nn


@torch.no_grad()  # expect: TP913:2
def by_decorator(model, loader):
    model.eval()
    return [model(x).argmax(1).tolist() for x in loader]


def by_block(model, loader):
    model.eval()
    hits = 0
    with torch.inference_mode():
        for x, y in loader:
            hits += (model(x).argmax(1) == y).sum().item()
    return hits


def by_statement(model, loader):
    torch.set_grad_enabled(False)
    model.eval()
    for x in loader:
        print(model(x).argmax(1))
    torch.set_grad_enabled(True)


def loss_of(model, batch):
    x, y = batch
    return F.mse_loss(model(x), y)


def by_caller(model, loader):
    model.eval()
    with torch.no_grad():
        return sum(loss_of(model, batch).item() for batch in loader)


@contextlib.contextmanager
def evaluating(model):
    model.eval()
    with torch.no_grad():
        yield model
    model.train()


def by_manager(model, loader):
    with evaluating(model) as net:
        for x, y in loader:
            print(F.l1_loss(net(x), y).item())


def main(loader):
    model = nn.Sequential(nn.Linear(8, 8), nn.Dropout(), nn.Linear(8, 3))
    by_decorator(model, loader)
    by_block(model, loader)
    by_caller(model, loader)
    by_manager(model, loader)


if __name__ == "__main__":
    main([])
