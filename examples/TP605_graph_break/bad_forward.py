import logging
import random

import numpy as np
import torch
from torch import nn

logger = logging.getLogger(__name__)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.register_buffer("ready", torch.tensor(False))

    def forward(self, x):
        if not self.ready:  # expect: TP605:9
            x = x - x.mean(dim=0)
        if self.training and random.random() < 0.1:  # expect: TP605:30
            return x
        return x + self.linear(x)


class Net(nn.Module):
    def __init__(self, width=8, depth=2):
        super().__init__()
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))
        self.debug = False

    def forward(self, x, mask=None):
        scale = x.abs().max().item()  # expect: TP605:17
        for block in self.blocks:
            x = block(x / scale)
        if x.isnan().any():  # expect: TP605:9
            logger.warning("not a number")  # expect: TP605:13
        x = self.clip(x)
        kept = x[x > 0]  # expect: TP605:16
        codes = len(np.unique(kept.detach().cpu().numpy()))  # expect: TP605:21
        return kept.sum() / codes

    def clip(self, x):
        limit = float(x.std())  # expect: TP605:17
        print("limit", limit)  # expect: TP605:9
        return x.clamp(-limit, limit)


model = Net()
model = torch.compile(model)  # expect: TP962:9
model(torch.randn(4, 8))
