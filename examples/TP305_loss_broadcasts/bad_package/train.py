import torch
from torch import nn

from .nets import Critic


class Trainer:
    def __init__(self):
        self.net = Critic()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.distance = nn.L1Loss()

    def step(self, states, returns):
        values = self.net(states).squeeze()
        loss = self.distance(values, returns.unsqueeze(1))  # expect: TP305:16
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()
