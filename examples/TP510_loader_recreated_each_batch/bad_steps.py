"""The batch is taken two calls below the loop."""
import torch
from torch import nn
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, net, dataset):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters())
        self.loader = DataLoader(dataset, batch_size=64, shuffle=True, num_workers=8)

    def sample(self):
        return next(iter(self.loader))  # expect: TP510:21

    def step(self):
        images, labels = self.sample()
        loss = nn.functional.cross_entropy(self.net(images), labels)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def run(self, steps):
        for _ in range(steps):
            self.step()
