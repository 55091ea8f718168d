"""The same names, of other libraries and of the program itself."""
import numpy as np
import timm
import torch
from torch import nn
from torch.nn import init

from tensorflow import Variable


class Meter:
    def __init__(self) -> None:
        self.total, self.weight = 0.0, 0.0

    def add(self, value: float, weight: float) -> None:
        self.total += value * weight
        self.weight += weight

    def step(self, epoch: int) -> float:
        return self.total / (self.weight + epoch)


def resnet18(pretrained: bool = False) -> nn.Module:
    return timm.create_model("resnet18", pretrained=pretrained)


def run(images: torch.Tensor) -> tuple:
    meter = Meter()
    meter.add(0.5, 2.0)
    net = resnet18(pretrained=True)
    init.constant_(net.fc.bias, 0.0)
    grid = np.meshgrid(np.arange(3), np.arange(3))
    factor = np.linalg.qr(images.numpy())
    return Variable(0.0), meter.step(3), grid, factor, np.linalg.norm(images.numpy())
