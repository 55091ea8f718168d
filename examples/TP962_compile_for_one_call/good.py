"""Called often: in a loop, in two places, or by others."""
import torch
from torch import nn


def serve(net, batches):
    compiled = torch.compile(net.eval())
    with torch.inference_mode():
        return [compiled(rows) for rows in batches]


class Service:
    def __init__(self):
        self.net = torch.compile(nn.Linear(8, 2).eval())

    def answer(self, rows):
        return self.net(rows)


def build():
    compiled = torch.compile(nn.Linear(8, 2))
    return compiled


def twice(rows):
    fast = torch.compile(torch.softmax)
    return fast(fast(rows, 0), 1)
