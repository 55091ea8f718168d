"""Sizes of something else, numbers in the text, arrays, and a padded table whose rows shift."""
import numpy as np
import torch
import torch.nn.functional as F


def shifted(scores):
    rows, columns = scores.size(0), scores.size(1)
    padded = F.pad(scores, (1, 0))
    padded = padded.view(columns + 1, rows)
    return padded[1:].view(rows, columns)


def relative(scores):
    padded = torch.cat([torch.zeros(scores.size(0), 1), scores], dim=1)
    padded = padded.view(padded.size(1), padded.size(0))
    return padded[1:].view_as(scores)


def like(x, other):
    return x.view(other.size(1), other.size(0))


def table():
    numbers = torch.arange(6).view(2, 3)
    return numbers.view(3, 2)


def array(path):
    image = np.load(path)
    return image.reshape(image.shape[1], image.shape[0])
