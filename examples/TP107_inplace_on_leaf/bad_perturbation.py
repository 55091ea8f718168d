"""An adversarial perturbation, kept in its range while recording."""
import torch
from torch import nn


def perturb(model: nn.Module, images, labels, size, steps):
    delta = torch.zeros_like(images, requires_grad=True)
    for _ in range(steps):
        nn.functional.cross_entropy(model(images + delta), labels).backward()
        delta.data += 0.01 * delta.grad.sign()
        delta.clamp_(-size, size)  # expect: TP107:9
        delta.grad.zero_()
    return delta.detach()
