import functools

import torch
from torch import nn
from torch.utils.data import DataLoader

scaled = torch.compile(lambda x: x * 0.5)


@torch.compile
def swish(x: torch.Tensor) -> torch.Tensor:
    return x * x.sigmoid()


@functools.lru_cache(maxsize=None)
def compiled(function):
    return torch.compile(function)


class Net(nn.Module):
    def __init__(self, depth: int) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(8, 8) for _ in range(depth))
        self.fast = None
        for i in range(depth):
            self.blocks[i] = torch.compile(self.blocks[i])

    def run(self, x: torch.Tensor) -> torch.Tensor:
        for block in self.blocks:
            x = swish(block(x))
        return x

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.fast is None:
            self.fast = torch.compile(self.run)
        return self.fast(x)


def train(net: Net, loader: DataLoader, epochs: int) -> None:
    model = torch.compile(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(epochs):
        if epoch == 3:
            model = torch.compile(net, mode="max-autotune")
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(compiled(model)(scaled(x)), y).backward()
            optimizer.step()
