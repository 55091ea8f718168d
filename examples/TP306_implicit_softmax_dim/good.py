"""The dimension is said: by keyword, by position, by a variable, or by whoever calls later."""
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.normalize = nn.Softmax(axis)
        self.channels = nn.Softmax2d()

    def forward(self, scores, values):
        return self.normalize(scores) @ values


def probabilities(scores, dim=1, **options):
    first = F.softmax(scores, 1)
    second = F.log_softmax(scores, dim=dim).exp()
    third = torch.softmax(scores, dim=-1) + scores.softmax(-1)
    fourth = F.softmax(scores, **options)
    return first + second + third + fourth


normalize = partial(F.softmax, dim=-1)
later = partial(F.softmax)


def softmax(numbers):
    powers = [2.718281828 ** number for number in numbers]
    return [power / sum(powers) for power in powers]


print(softmax([1, 2, 3]), normalize(torch.rand(2, 3, 4)), later(torch.rand(2), dim=0))
