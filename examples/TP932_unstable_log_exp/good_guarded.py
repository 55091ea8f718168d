"""Guarded by hand, or no tensors of torch."""
import math

import numpy as np
import torch


def entropy(logits, eps=1e-8):
    probabilities = torch.softmax(logits, dim=-1)
    return -(probabilities * torch.log(probabilities + eps)).sum(-1), torch.log(probabilities.clamp(min=eps))


def log_sum_exp(x: torch.Tensor):
    highest = x.max(dim=1, keepdim=True).values
    return torch.log(torch.sum(torch.exp(x - highest), dim=1)) + highest.squeeze(1)


def rates(count, array, logger):
    logger.log(1 + count)
    return math.log(1 + count), np.log(1 + array), np.exp(array) - 1, torch.log(2 + torch.as_tensor(array))
