from collections import OrderedDict

import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.hidden = list()  # expect: TP205:9
        for _ in range(depth):
            self.hidden.append(nn.Linear(width, width))
        self.heads = dict(coarse=nn.Linear(width, 10), fine=nn.Linear(width, 100))  # expect: TP205:9
        self.norms = OrderedDict()  # expect: TP205:9
        self.norms["coarse"] = nn.LayerNorm(10)
        self.scales = []  # expect: TP205:9
        self.scales.append(nn.Parameter(torch.ones(10)))
        self.seen = list()

    def forward(self, x):
        for layer in self.hidden:
            x = torch.relu(layer(x))
        self.seen.append(x.shape[0])
        return self.norms["coarse"](self.heads["coarse"](x)) * self.scales[0], self.heads["fine"](x)
