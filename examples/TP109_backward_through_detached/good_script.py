"""Inputs that are optimized, in a script."""
import torch
from torch import optim

target = torch.randn(3)
x = torch.tensor([target.mean().item()], requires_grad=True)
adam = optim.Adam([x])
y = target.detach().clone()
y.requires_grad_()

for _ in range(3):
    adam.zero_grad()
    loss = ((x - target) ** 2).sum()
    loss.backward()
    adam.step()

(y**2).sum().backward()
print(y.grad)
