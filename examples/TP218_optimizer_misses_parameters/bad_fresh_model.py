"""Another model under the same name, weights that are put in by assignment, and new parametrizations."""
import copy

import torch
from torch import nn, optim


def train(model, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()


def cross_validate(folds):
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    optimizer = optim.Adam(model.parameters())
    for loader in folds:
        model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))  # expect: TP218:9
        train(model, optimizer, loader)


def resume(path, loader):
    model = nn.Linear(4, 1)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    model.load_state_dict(torch.load(path, map_location="cpu"), assign=True)  # expect: TP218:5
    train(model, optimizer, loader)


def normalize(loader):
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    nn.utils.parametrizations.weight_norm(model[0])  # expect: TP218:5
    train(model, optimizer, loader)


def copied(loader):
    model = nn.Linear(4, 1)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    model = copy.deepcopy(model)  # expect: TP218:5
    train(model, optimizer, loader)


def factorize(loader):
    model = nn.Linear(4, 1)
    optimizer = optim.Adagrad(model.parameters(), lr=0.1)
    model.cuda()  # expect: TP218:5, TP942:5
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x.cuda()), y.cuda()).backward()
        optimizer.step()
