import functools

import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)
        self.out = self._projection(width)
        self.drop = nn.Dropout(0.1)

    def _projection(self, width):
        return nn.Sequential(nn.Linear(width, width), nn.LayerNorm(width))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        scores = nn.Softmax(dim=-1)(q @ k.transpose(-2, -1))
        x = nn.ReLU()(self.out(scores @ v))
        x = nn.Dropout(0.1).train(self.training)(x)
        return F.dropout(self.drop(x), 0.1, self.training)

    def loss(self, x, y):
        return nn.CrossEntropyLoss()(self(x), y)


class BuiltOnce(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.classes = classes
        self.head = None

    def forward(self, x):
        if self.head is None:
            self.head = nn.Linear(x.shape[-1], self.classes).to(x.device)
        if not hasattr(self, "norm"):
            self.norm = nn.LayerNorm(self.classes)
        return self.norm(self.head(x))


class Edges(nn.Module):
    """A filter that is set by hand is not random."""

    def forward(self, image):
        blur = nn.Conv2d(1, 1, 3, padding=1, bias=False)
        blur.weight = nn.Parameter(torch.full((1, 1, 3, 3), 1 / 9), requires_grad=False)
        return image - blur(image)


class Explainer(nn.Module):
    """Each call trains a mask of its own."""

    def forward(self, model, x, y):
        mask = nn.Linear(x.shape[-1], x.shape[-1])
        optimizer = torch.optim.Adam(mask.parameters())
        for _ in range(100):
            optimizer.zero_grad()
            F.cross_entropy(model(mask(x)), y).backward()
            optimizer.step()
        return mask(x)


@functools.cache
def projector(width):
    return nn.Linear(width, width)


class Projected(nn.Module):
    def forward(self, x):
        return projector(x.shape[-1])(x)


class Builder:
    def forward(self, x):
        return nn.Linear(8, 8)(x)
