"""Changes that come when nothing needs the tensor any more."""
import torch
from torch import nn


def after_backward(model: nn.Linear, inputs: torch.Tensor):
    loss = model(inputs).exp().sum()
    loss.backward()
    inputs += 1


def without_recording(model: nn.Module, inputs: torch.Tensor, target: torch.Tensor):
    with torch.no_grad():
        teacher = torch.softmax(model(inputs), dim=1)
        teacher *= 0.9
        teacher += 0.1 / teacher.shape[1]
    loss = (model(inputs) - teacher).pow(2).mean()
    loss.backward()


def sum_of_losses(model: nn.Linear, batches):
    total = 0
    for inputs in batches:
        total += model(inputs).exp().mean()
    total.backward()


def running_mean(model: nn.Linear, inputs, mean):
    loss = (model(inputs) - mean).abs().mean()
    loss.backward()
    mean.mul_(0.9).add_(0.1)
    return loss.item()


def each_pass_anew(model: nn.Linear, batches):
    for inputs in batches:
        hidden = model(inputs)
        hidden.sum().backward()
        inputs.zero_()
