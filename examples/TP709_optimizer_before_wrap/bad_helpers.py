"""Wrapping in a helper, block by block, and in a trainer whose __init__ has made the optimizer."""
import torch
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor.parallel import ColwiseParallel, parallelize_module


class Blocks(nn.Module):
    def __init__(self, width=32, depth=3):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])

    def forward(self, x):
        for block in self.blocks:
            x = torch.relu(block(x))
        return x


def shard(model):
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)
    return model


def build():
    model = Blocks()
    return model, torch.optim.Adam(model.parameters(), lr=1e-3)


def train(model, optimizer, loader):
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def main(loader):
    model, optimizer = build()
    model = shard(model)  # expect: TP709:13
    train(model, optimizer, loader)


def unrolled(loader):
    model = Blocks()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for block in model.blocks:
        fully_shard(block)  # expect: TP709:9
    fully_shard(model)
    train(model, optimizer, loader)


class Trainer:
    def __init__(self, model: nn.Module, mesh):
        self.model = model
        self.mesh = mesh
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-4)

    def distribute(self):
        parallelize_module(self.model, self.mesh, ColwiseParallel())  # expect: TP709:9

    def step(self, x):
        self.optimizer.zero_grad()
        self.model(x).mean().backward()
        self.optimizer.step()
