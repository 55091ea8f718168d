"""A bug hunt is over, its setting is still there."""
import os

os.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # expect: TP407:1

import torch
from torch import nn


def train(batches):
    net = nn.Linear(4, 1).cuda()  # expect: TP942:11
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in batches:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
