"""Values that are plausible for their places, and those that the text does not show."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim
from torch.utils.data import DataLoader


def conv_block(cin, cout, stride, padding, dilation, momentum, eps, options):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, 1, 1, 1, 1, False),
        nn.Conv2d(cout, cout, 3, stride, dilation, dilation),
        nn.Conv2d(cout, cout, stride, stride),
        nn.Conv2d(cout, cout, 3, 1, padding),
        nn.Conv1d(cout, cout, 3, *options),
        nn.BatchNorm2d(cout, 1e-3, 0.01),
        nn.BatchNorm2d(cout, eps, momentum),
        nn.BatchNorm2d(cout, eps=0.8),
        nn.ReLU(True),
        nn.LeakyReLU(0.01),
        nn.MaxPool2d(3, 2, 1),
        nn.AvgPool2d(2, 2, 0, True),
        nn.Upsample((64, 64)),
        nn.Upsample(224),
        nn.GroupNorm(8, 64),
        nn.LayerNorm((16, 16)),
        nn.LayerNorm(16, 1e-6),
        nn.Linear(cout, 10, 1),
        nn.Dropout(0.5, True),
    )


def initialize(layer, std):
    nn.init.normal_(layer.weight, 0, 0.02)
    nn.init.normal_(layer.weight, 1.0, 0.02)
    nn.init.normal_(layer.bias, 0.02, std=0.001)
    nn.init.uniform_(layer.weight, -0.1, 0.1)
    nn.init.kaiming_uniform_(layer.weight, 5**0.5)
    nn.init.normal_(layer.weight, std)
    layer.weight.data.normal_(1.0)


def train(net, data, x):
    optimizer = optim.SGD(net.parameters(), 0.1, 0.9)
    optimizer = optim.Adam(net.parameters(), 1e-3, (0.9, 0.99))
    loader = DataLoader(data, 32, True)  # expect: TP951:14
    x = F.interpolate(x, 224)
    x = F.interpolate(x, (2, 2))
    x = F.normalize(x, 2, -1)
    samples = F.gumbel_softmax(x, 0.5, True)
    loss = F.mse_loss(x, x.clamp(0, 1))
    loss.backward(torch.ones_like(loss))
    return samples, nn.CrossEntropyLoss(torch.ones(3)), optimizer, loader, nn.LSTM(8, 8, 2, True, True, 0.5, True)
