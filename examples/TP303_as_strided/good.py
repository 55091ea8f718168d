import numpy as np
import torch
from numpy.lib.stride_tricks import as_strided


class Ring:
    def as_strided(self, size, stride):
        return [stride * number for number in range(size)]


def windows(signal, size, hop):
    return signal.unfold(0, size, hop)


def copied(signal):
    return torch.as_strided_copy(signal, (2, 2), (1, 1))


def arrays(values):
    first = as_strided(values, (2, 2), (8, 8))
    return first, np.lib.stride_tricks.as_strided(values, (3, 3), (8, 8))


def ring():
    return Ring().as_strided(3, 2)
