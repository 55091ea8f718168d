"""Schedules that are meant to come first: they compute the learning rate of the update that follows."""
import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import LRScheduler


class Noam(LRScheduler):
    def __init__(self, optimizer, width, warmup):
        self.width, self.warmup, self.updates = width, warmup, 0
        super().__init__(optimizer)

    def step(self, epoch=None):
        self.updates += 1
        scale = self.width**-0.5 * min(self.updates**-0.5, self.updates * self.warmup**-1.5)
        for group in self.optimizer.param_groups:
            group["lr"] = scale


class Exploration:
    def __init__(self):
        self.epsilon = 1.0

    def step(self):
        self.epsilon = max(0.05, self.epsilon * 0.99)


def train(model, batches):
    optimizer = torch.optim.Adam(model.parameters())
    scheduler = Noam(optimizer, width=512, warmup=4000)
    explore_scheduler = Exploration()
    for x, y in batches:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        explore_scheduler.step()
        scheduler.step()
        optimizer.step()
