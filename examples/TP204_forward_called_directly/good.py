import torch
from torch import nn


class Base(nn.Module):
    def forward(self, x):
        return x * 2


class Shifted(Base):
    def forward(self, x):
        return super().forward(x) + Base.forward(self, x)

    def __call__(self, x):
        return self.forward(x)


class Turtle:
    def forward(self, distance):
        return distance


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


def walk(x):
    Turtle().forward(10)
    return Shifted()(x), Double.forward(None, x)
