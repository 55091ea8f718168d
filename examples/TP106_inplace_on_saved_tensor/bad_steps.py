"""Training steps that change a tensor between the forward and the backward pass."""
import torch
from torch import nn

model = nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

inputs = torch.randn(8, 4)
outputs = model(inputs)
inputs.add_(1)  # expect: TP106:1
outputs.sum().backward()
optimizer.step()


def masked(weights: nn.Parameter, mask: torch.Tensor):
    product = weights * mask
    mask[0] = 0  # expect: TP106:5
    product.sum().backward()


def scaled_probabilities(net: nn.Module, batch):
    probabilities = torch.exp(net(batch))
    probabilities /= probabilities.sum(dim=1, keepdim=True)  # expect: TP106:5
    loss = -probabilities.mean()
    loss.backward()
    return loss.item()


def through_data(net: nn.Module, batch):
    hidden = torch.tanh(net(batch))
    hidden.data.mul_(2)  # expect: TP106:5
    hidden.sum().backward()
