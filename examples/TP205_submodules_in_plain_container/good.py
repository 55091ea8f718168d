import torch
from torch import nn


class Wrapped(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        layers = []
        for _ in range(depth):
            layers.append(nn.Linear(width, width))
        self.layers = nn.ModuleList(layers)
        parts = [nn.Linear(width, width), nn.ReLU()]
        self.parts = parts
        self.net = nn.Sequential(*parts)
        self.late = []
        for _ in range(depth):
            self.late.append(nn.GRUCell(width, width))
        self.late = nn.ModuleList(self.late)
        self.heads = nn.ModuleDict({"a": nn.Linear(width, 1)})


class RegisteredOneByOne(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.blocks = []
        for i in range(depth):
            block = nn.Linear(width, width)
            self.add_module(f"block{i}", block)
            self.blocks.append(block)


class Named(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.down = nn.Linear(width, width // 2)
        self.up = nn.Linear(width // 2, width)
        self.order = [self.down, self.up]

    def forward(self, x):
        for layer in self.order:
            x = layer(x)
        return x


class Choice(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.table = {"small": nn.Linear(4, 4), "large": nn.Linear(4, 4)}
        self.backbone = self.table[name]


class WithTeacher(nn.Module):
    """The list keeps the teacher out of this module's parameters, which is meant."""

    def __init__(self, student, teacher):
        super().__init__()
        self.student = student
        self.teacher = [teacher]


class NothingToRegister(nn.Module):
    def __init__(self):
        super().__init__()
        self.activations = {"relu": nn.ReLU(), "tanh": nn.Tanh()}
        self.losses = [nn.L1Loss(), nn.MSELoss()]
        self.sizes = [3, 5, 7]
        self.outputs = []

    def forward(self, x):
        self.outputs.append(torch.relu(x))
        return x


class OwnBooks(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = [nn.Linear(4, 4) for _ in range(8)]

    def parameters(self, recurse=True):
        for expert in self.experts:
            yield from expert.parameters(recurse)


class Zoo:
    """No module itself: nothing could be registered."""

    def __init__(self):
        self.models = [nn.Linear(2, 2), nn.Linear(2, 3)]
