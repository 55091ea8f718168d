"""Numbers, losses, what is not known, and a class with a text of its own."""
import torch
from torch import nn
from torchinfo import summary


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)

    def __repr__(self):
        return f"Block of {sum(p.numel() for p in self.parameters())} parameters"


def describe(model: nn.Module, thing, x: torch.Tensor):
    print(thing, model(x).mean().item(), nn.MSELoss())
    criterion = nn.CrossEntropyLoss()
    print(criterion)
    print(summary(model, input_data=x))
