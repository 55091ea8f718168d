"""Streams that wait for each other."""
import torch
from torch import nn


class TwoPaths(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Linear(8, 8)
        self.right = nn.Linear(8, 8)
        self.stream = torch.cuda.Stream()

    def forward(self, x):
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            right = self.right(x)
        left = self.left(x)
        torch.cuda.current_stream().wait_stream(self.stream)
        right.record_stream(torch.cuda.current_stream())
        return left + right


def with_event(x: torch.Tensor):
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        y = torch.mm(x, x)
        done = stream.record_event()
    torch.cuda.current_stream().wait_event(done)
    return torch.relu(y)


def whole_device(x: torch.Tensor):
    stream = torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        y = torch.mm(x, x)
    torch.cuda.synchronize()
    return y.sum()


def same_stream(x: torch.Tensor):
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        y = torch.mm(x, x)
    with torch.cuda.stream(stream):
        z = torch.relu(y)
    print(y.shape)
    stream.synchronize()
    return z.sum()


def given(x: torch.Tensor, stream):
    with torch.cuda.stream(stream):
        y = torch.mm(x, x)
    return torch.relu(y)


def current(x: torch.Tensor):
    with torch.cuda.stream(torch.cuda.current_stream()):
        y = torch.mm(x, x)
    return torch.relu(y)


class Prefetcher:
    def __init__(self, loader):
        self.loader = iter(loader)
        self.stream = torch.cuda.Stream()

    def preload(self):
        batch = next(self.loader)
        with torch.cuda.stream(self.stream):
            self.batch = batch.cuda(non_blocking=True)

    def next(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        batch = self.batch
        self.preload()
        return batch
