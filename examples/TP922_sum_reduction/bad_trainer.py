import torch
from torch import nn


class Trainer:
    def __init__(self, net: nn.Module):
        self.net = net
        self.criterion = nn.MSELoss(reduction="sum")  # expect: TP922:26
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.01)

    def loss(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return self.criterion(self.net(x), y)

    def step(self, x: torch.Tensor, y: torch.Tensor) -> None:
        self.optimizer.zero_grad()
        self.loss(x, y).backward()
        self.optimizer.step()
