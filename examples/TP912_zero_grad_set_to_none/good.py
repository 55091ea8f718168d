"""The default, a choice of the program, and classes that are not torch's."""
import torch
from torch import nn


class Lazy(torch.optim.SGD):
    def zero_grad(self, set_to_none=False):
        super().zero_grad(set_to_none)


def fit(model: nn.Module, loader, keep_zeros: bool):
    optimizer = Lazy(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad(set_to_none=True)
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    model.zero_grad(set_to_none=not keep_zeros)
    model.zero_grad()
