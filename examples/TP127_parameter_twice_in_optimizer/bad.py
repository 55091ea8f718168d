"""A module, and the network it is part of."""
import itertools

import torch
from torch import nn, optim


class Net(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        return self.head(torch.relu(self.encoder(x)))


encoder = nn.Linear(4, 16)
net = Net(encoder)
optimizer = optim.SGD(list(encoder.parameters()) + list(net.parameters()), lr=0.1)  # expect: TP127:13

finetuning = optim.AdamW(  # expect: TP127:14
    [
        {"params": net.parameters(), "lr": 1e-4},
        {"params": net.head.parameters(), "lr": 1e-3},
    ]
)

second = Net(encoder)
joint = optim.Adam(itertools.chain(net.parameters(), second.parameters()), lr=1e-3)  # expect: TP127:9

for _ in range(10):
    x, y = torch.randn(8, 4), torch.randn(8, 1)
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
