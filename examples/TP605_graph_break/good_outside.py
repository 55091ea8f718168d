import logging
import os
import random

import numpy as np
import torch
from torch import nn

log = logging.getLogger(__name__)


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.scale = float(np.sqrt(width))
        self.bias = nn.Parameter(torch.zeros(width)) if width > 4 else None
        self.debug = False

    def forward(self, x, mask=None):
        assert (x < 100).all(), "too large"
        if x.size(0) > 1 and x.dim() == 2 and x.dtype == torch.float32 and x.is_cuda:
            x = x + 1
        if self.bias is not None:
            x = x + self.bias
        if self.debug:
            print(x)
        if mask is not None:
            x = x[mask.bool()]
        x = x.clone()
        x[x > 3] = 3
        if os.environ.get("FAST") == "1" or len(x) > 4:
            return x
        if x.ndim > 3:
            raise ValueError(f"{x.sum().item()}")
        self.describe(x)
        noise = torch.from_numpy(np.random.rand(8)).float() * random.randint(1, 3)
        rows = sum(row for row in x)
        return torch.where(x > 0, x, x * 0.1) + noise + rows + torch.from_numpy(np.tanh(x.detach().cpu().numpy()))

    @torch.compiler.disable
    def describe(self, x):
        log.info("max %f", x.max().item())


def train(net, compiled, data):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step, (x, y) in enumerate(data):
        loss = (compiled(x) - y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if loss.isnan().any():
            break
        print(step, loss.item())


network = Net()
train(network, torch.compile(network), [(torch.randn(4, 8), torch.randn(4, 8))])


@torch.compile
def step(model, optimizer, x):
    loss = model(x).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss
