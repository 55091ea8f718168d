"""Dimensions that are moved, merged, split, or of size 1."""
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(16, 32)
        self.patches = nn.Conv2d(3, 64, 16, 16)

    def forward(self, x, images):
        output, (hidden, cell) = self.rnn(x)
        hidden = hidden.view(hidden.size(1), hidden.size(0), hidden.size(2))  # one layer: a dimension of size 1
        t, b, d = output.shape
        flat = output.view(t * b, d).view(t, b, d)
        first = output.transpose(0, 1).reshape(b, t, d)
        x = self.patches(images)
        b, c, h, w = x.shape
        x = x.flatten(2).transpose(1, 2)
        x = x.reshape(b, -1, c)
        x = x.transpose(1, 2).reshape(b, c, h, w)
        return hidden, cell, flat, first, x, x.view(b, c, -1), x.view(b, c, h * w), x.view(-1, h, w)


def heads(x, count):
    b, t, d = x.shape
    return x.view(b, t, count, d // count).transpose(1, 2)


def last(images):
    n, c, h, w = images.shape
    images = images.permute(0, 2, 3, 1)
    return images.reshape(n, h, w, c)
