import time

import torch
from torch import nn
from torch import compile as fast


@torch.compile
def normalize(x):
    while x.norm() > 1:  # expect: TP605:5
        x = x / 2
    return x


@torch.compile(fullgraph=True)
def loss_of(logits, target):
    loss = nn.functional.cross_entropy(logits, target)
    print(loss)  # expect: TP605:5
    return loss


@fast
def distances(a, b):
    started = time.perf_counter()  # expect: TP605:15
    found = torch.cdist(a, b)
    assert not torch.isnan(found).any()  # expect: TP605:5
    return report(found, started)


def report(found, started):
    rows = found.argmin(dim=1).tolist()  # expect: TP605:12
    return rows, started


class Trainer:
    def __init__(self, model: nn.Module):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.step = torch.compile(self._step)

    def _step(self, x, y, number):
        loss = (self.model(x) - y).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        if number % 100 == 0:
            print(number)  # expect: TP605:13
        return loss.item()  # expect: TP605:16
