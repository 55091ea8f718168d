"""Divided on the way, whichever way that is."""
from typing import cast

import torch
import torch.nn.functional as F
from torch import nn


def in_the_expression(model: nn.Module, optimizer: torch.optim.Optimizer, loader, every):
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / every).backward()
        if (i + 1) % every == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


def in_a_statement(model: nn.Module, optimizer: torch.optim.Optimizer, loader, every):
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        if every > 1:
            loss = loss / every
        loss.backward()
        if (i + 1) % every == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


def by_a_factor(model: nn.Module, optimizer: torch.optim.Optimizer, loader):
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        loss *= 0.25
        loss.backward()
        if (i + 1) % 4 == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


def mean_share(criterion, output, target, every):
    return criterion(output, target).div(every)


def in_a_helper(model: nn.Module, optimizer: torch.optim.Optimizer, loader, every):
    criterion = nn.CrossEntropyLoss()
    for i, (x, y) in enumerate(loader):
        loss = mean_share(criterion, model(x), y, every)
        loss.backward()
        if (i + 1) % every == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


def in_the_gradients(model: nn.Module, optimizer: torch.optim.Optimizer, loader, every):
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()
        if (i + 1) % every == 0 or i + 1 == len(loader):
            for parameter in model.parameters():
                parameter.grad /= every
            optimizer.step()
            optimizer.zero_grad()


def under_a_scaler(model: nn.Module, optimizer: torch.optim.Optimizer, loader, scaler, every):
    for i, (x, y) in enumerate(loader):
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(x), y)
            loss = loss / every
        cast(torch.Tensor, scaler.scale(loss)).backward()
        if (i + 1) % every == 0 or i + 1 == len(loader):
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
