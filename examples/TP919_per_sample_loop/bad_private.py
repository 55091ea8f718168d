"""Clipped gradients of single samples, as private training wants them."""
import torch
from torch import nn

net = nn.Linear(4, 1)
inputs = torch.rand(32, 4)
targets = torch.rand(32, 1)
norms = []
for x, y in zip(inputs, targets):
    net.zero_grad()
    (net(x) - y).square().mean().backward()  # expect: TP919:5
    norms.append(sum(p.grad.square().sum() for p in net.parameters()))
print(torch.stack(norms).sqrt().max().item())
