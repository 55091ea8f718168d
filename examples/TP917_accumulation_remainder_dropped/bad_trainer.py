"""The pass goes on early."""
import torch
import torch.nn.functional as F
from torch import nn


class Trainer:
    def __init__(self, net: nn.Module, config):
        self.net = net
        self.config = config
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def step(self):
        self.optimizer.step()
        self.optimizer.zero_grad()

    def epoch(self, loader):
        self.net.train()
        for index, (x, y) in enumerate(loader):
            loss = F.mse_loss(self.net(x), y) / self.config.accumulate
            loss.backward()
            if (index + 1) % self.config.accumulate:  # expect: TP917:13
                continue
            self.step()
