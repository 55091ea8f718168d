"""What is compared with a number and picked from by that can only be a tensor."""
import torch


@torch.compile
def positives(x):
    where = x.nonzero()  # expect: TP605:13
    return where, x[x > 0]  # expect: TP605:19


@torch.compile
def settled(x, limit):
    return torch.where(x > limit, limit, x)
