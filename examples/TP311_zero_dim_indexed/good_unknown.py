import numpy as np
import torch


def logged(criterion, out, y, frame):
    loss = criterion(out, y)
    counts = frame.sum()
    return loss[0], counts[0], np.ones((3, 2)).sum(axis=1)[0], frame.mean()[0]


def value_of(loss: torch.Tensor, x: torch.Tensor) -> float:
    total = loss * x.mean()
    print(total[0])
    mean = x.mean()
    if torch.__version__ < "0.4":
        return mean.data[0]
    try:
        return mean.item()
    except AttributeError:
        return mean.data[0]


def weighted(x: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    loss = weights
    loss = loss * x.mean()
    loss += x.sum()
    return loss[0]
