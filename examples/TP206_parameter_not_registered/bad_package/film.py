import torch

from .base import Layer


class Film(Layer):
    def __init__(self, width):
        super().__init__(width)
        self.gamma = torch.ones(width).requires_grad_()  # expect: TP206:9
        self.beta = torch.zeros(1, width, requires_grad=True).expand(4, width)  # expect: TP206:9

    def forward(self, x):
        return self.gamma * x + self.beta
