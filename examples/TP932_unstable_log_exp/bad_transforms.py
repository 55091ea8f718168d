import torch
from torch import nn


class Squash(nn.Module):
    def forward(self, x: torch.Tensor):
        return torch.sign(x) * torch.log(1.0 + x.abs())  # expect: TP932:32

    def inverse(self, y: torch.Tensor):
        return torch.sign(y) * (y.abs().exp() - 1)  # expect: TP932:33


def entropy(logits: torch.Tensor):
    probabilities = logits.softmax(-1)
    return -(probabilities * probabilities.log()).sum(-1)  # expect: TP932:30
