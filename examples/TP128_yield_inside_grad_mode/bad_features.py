"""A generator of features, read by a training loop."""
import torch
from torch import nn


def features(encoder, loader):
    encoder.eval()
    with torch.no_grad():
        for x, y in loader:
            yield encoder(x), y  # expect: TP128:13


def fit(encoder: nn.Module, head: nn.Module, loader):
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    for h, y in features(encoder, loader):
        loss = nn.functional.cross_entropy(head(h), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
