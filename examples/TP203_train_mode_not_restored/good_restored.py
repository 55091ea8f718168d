import contextlib

import torch
import torch.nn.functional as F
from torch import nn


def make():
    return nn.Sequential(nn.Linear(8, 16), nn.Dropout(), nn.Linear(16, 2))


def accuracy(model, loader):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        right = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    model.train(was_training)
    return right


@contextlib.contextmanager
def evaluating(model):
    mode = model.training
    model.eval()
    try:
        yield model
    finally:
        model.train(mode)


def top_of_epoch(loader, test_loader):
    model = make()
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(5):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            print(sum(F.cross_entropy(model(x), y).item() for x, y in test_loader))


def saved(loader, test_loader):
    model = make()
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        accuracy(model, test_loader)


def managed(loader, x_test):
    model = make()
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        with evaluating(model), torch.no_grad():
            print(model(x_test).argmax(1))


def phases(loaders):
    model = make()
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(5):
        for phase in ("train", "valid"):
            if phase == "train":
                model.train()
            else:
                model.eval()
            for x, y in loaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    loss = F.cross_entropy(model(x), y)
                if phase == "train":
                    loss.backward()
                    optimizer.step()
