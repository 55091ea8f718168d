"""Modules that one helper makes are several modules."""
import itertools

import torch
from torch import nn


class Translator:
    def __init__(self, width=8):
        def layers(out):
            return nn.Sequential(nn.Linear(width, 32), nn.ReLU(), nn.Linear(32, out))

        self.there, self.back = layers(width), layers(width)
        self.optimizer = torch.optim.Adam(itertools.chain(self.there.parameters(), self.back.parameters()), lr=2e-4)

    def step(self, x):
        self.optimizer.zero_grad()
        (self.back(self.there(x)) - x).abs().mean().backward()
        self.optimizer.step()


class Pair:
    def __init__(self):
        self.left = self.tower()
        self.right = self.tower()
        self.optimizer = torch.optim.Adam([*self.left.parameters(), *self.right.parameters()])

    def tower(self):
        return nn.Linear(4, 4)

    def step(self, x, y):
        self.optimizer.zero_grad()
        nn.functional.mse_loss(self.left(x), self.right(y)).backward()
        self.optimizer.step()
