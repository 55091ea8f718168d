"""Clipping before the backward pass, once through an import, once by value."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

model = nn.Sequential(nn.Linear(10, 32), nn.Tanh(), nn.Linear(32, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [(torch.randn(4, 10), torch.randn(4, 1)) for _ in range(20)]

for inputs, targets in batches:
    optimizer.zero_grad()
    loss = criterion(model(inputs), targets)
    clip_grad_norm_(model.parameters(), 1.0)  # expect: TP113:5
    loss.backward()
    optimizer.step()


def finetune(net, data, optim):
    for inputs, targets in data:
        loss = criterion(net(inputs), targets)
        torch.nn.utils.clip_grad_value_(net.parameters(), clip_value=0.5)  # expect: TP113:9
        loss.backward()
        optim.step()
        optim.zero_grad()
