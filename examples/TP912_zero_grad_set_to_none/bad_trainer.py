import torch
from torch import nn, optim


class Trainer:
    def __init__(self, width):
        self.net = nn.Linear(width, 1)
        self.opt = optim.Adam(self.net.parameters())

    def step(self, x: torch.Tensor) -> None:
        self.opt.zero_grad(False)  # expect: TP912:9
        self.net(x).mean().backward()
        self.opt.step()

    def reset(self) -> None:
        self.net.zero_grad(set_to_none=False)  # expect: TP912:9
