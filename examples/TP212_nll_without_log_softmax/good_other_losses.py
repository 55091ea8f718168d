import torch
import torch.nn.functional as F
from torch import nn


def make_criterion(kind):
    if kind == "nll":
        return nn.NLLLoss()
    return nn.CrossEntropyLoss()


def step(net: nn.Linear, x, y, kind):
    scores = net(x)
    confident = F.softmax(scores.detach(), dim=1).max(dim=1).values
    loss = make_criterion(kind)(scores, y)
    loss.backward()
    return confident


def mixture(net: nn.Linear, prior: torch.Tensor, x, y):
    scores = net(x)
    loss = F.nll_loss(scores - scores.logsumexp(dim=1, keepdim=True) + prior.log(), y)
    loss.backward()
    return loss.item()
