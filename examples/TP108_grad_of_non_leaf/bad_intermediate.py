import torch
from torch import nn

layer = nn.Linear(4, 3)
x = torch.randn(2, 4)

hidden = layer(x)
loss = hidden.pow(2).sum()
loss.backward()
print(layer.weight.grad)
print(hidden.grad)  # expect: TP108:7
