import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3, bias=False), nn.BatchNorm2d(8), nn.ReLU())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x).mean((2, 3))


class Trainer:
    def __init__(self):
        self.encoder = Encoder()
        self.encoder.requires_grad_(False)  # expect: TP924:9
        self.head = nn.Linear(8, 2)
        self.optimizer = torch.optim.SGD(self.head.parameters(), lr=0.1)

    def step(self, x: torch.Tensor, y: torch.Tensor) -> None:
        self.optimizer.zero_grad()
        nn.functional.cross_entropy(self.head(self.encoder(x)), y).backward()
        self.optimizer.step()
