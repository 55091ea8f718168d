"""Softmax over the steps, one score for each of several choices, and maps over their pixels."""
import torch
import torch.nn.functional as F
from torch import nn


class Pooling(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.score = nn.Linear(width, 1)
        self.attention = nn.Sequential(nn.Linear(width, 16), nn.Tanh(), nn.Linear(16, 1), nn.Softmax(dim=1))
        self.squeeze = nn.Conv2d(width, 1, 1)

    def forward(self, steps, maps):
        weights = F.softmax(self.score(steps), dim=1)
        weights = weights * self.attention(steps)
        scores = torch.softmax(self.score(steps).squeeze(-1), dim=-1)
        pixels = self.squeeze(maps).flatten(2).softmax(dim=-1)
        return (weights * steps).sum(dim=1), scores, pixels


class MultipleChoice(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.score = nn.Linear(width, 1)

    def forward(self, choices, answer):
        scores = self.score(choices).view(-1, 4)
        return F.cross_entropy(scores, answer)


class Pointer(nn.Module):
    def __init__(self, width, kind):
        super().__init__()
        self.score = nn.Linear(width, 1)
        self.loss = nn.CrossEntropyLoss() if kind == "class" else nn.BCEWithLogitsLoss()

    def forward(self, states, answer):
        return self.loss(self.score(states), answer)
