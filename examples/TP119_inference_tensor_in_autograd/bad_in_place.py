"""Tensors made in inference mode cannot change outside of it, nor become leaves."""
import torch
from torch import nn

model = nn.Linear(4, 4)


class Memory:
    def __init__(self, size):
        self.size = size

    def fill(self, x):
        with torch.inference_mode():
            bank = torch.zeros(self.size, 4)
            code = model(x)
        bank[: len(x)] = code  # expect: TP119:9
        code.clamp_(min=0)  # expect: TP119:9
        with torch.no_grad():
            code *= 2  # expect: TP119:13
        return bank


def adversarial(x):
    with torch.inference_mode():
        noise = torch.randn(4)
    noise.requires_grad_()  # expect: TP119:5
    return noise


def as_parameter():
    with torch.inference_mode():
        start = torch.randn(4, 4)
    return nn.Parameter(start)  # expect: TP119:12
