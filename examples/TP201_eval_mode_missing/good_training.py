"""Forwards without recording that belong to training, or leave dropout on for its own sake."""
import torch
import torch.nn.functional as F
from torch import nn


def network():
    return nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 4))


def fit(loader):
    student, teacher = network(), network()
    student.train()
    teacher.train()
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    for weak, strong in loader:
        with torch.no_grad():
            confidence, target = teacher(weak).softmax(1).max(1)
            mask = confidence.ge(0.9).float()
        optimizer.zero_grad()
        loss = (F.cross_entropy(student(strong), target, reduction="none") * mask).mean()
        loss.backward()
        optimizer.step()
    recalibrate(student, loader)
    return mc_dropout(student, loader)


@torch.no_grad()
def recalibrate(model, loader):
    model.train()
    for weak, _ in loader:
        model(weak)


@torch.no_grad()
def mc_dropout(model, loader):
    model.train()
    return [torch.stack([model(x).softmax(1) for _ in range(20)]).var(0).max().item() for x, _ in loader]


def width_of(model, size):
    with torch.no_grad():
        return model(torch.zeros(2, size)).shape[1]
