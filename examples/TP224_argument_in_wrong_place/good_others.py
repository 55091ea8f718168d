"""Functions of the project and of other libraries under the same names."""
import numpy as np
import torch
from tensorflow.keras.layers import Dropout, Upsample
from torch import nn


class BatchNorm2d(nn.Module):
    def __init__(self, channels, momentum):
        super().__init__()
        self.norm = nn.BatchNorm2d(channels, momentum=momentum)

    def forward(self, x):
        return self.norm(x)


def normal_(weight, std):
    return nn.init.normal_(weight, 0.0, std)


class Stack(nn.Module):
    def __init__(self, dropout, slope):
        super().__init__()
        self.layers = nn.Sequential(BatchNorm2d(64, 0.8), nn.Dropout(dropout), nn.LeakyReLU(slope))
        self.others = [Dropout(True), Upsample(2)]

    def forward(self, x, inplace=True):
        act = nn.ReLU(inplace)
        return act(self.layers(x))


def losses(weights):
    normal_(torch.empty(3), 0.02)
    return nn.CrossEntropyLoss(weights), np.clip(np.zeros(3), 1, 0)
