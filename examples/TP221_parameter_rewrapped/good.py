import torch.nn.functional as F
from torch import nn


class LanguageModel(nn.Module):
    def __init__(self, tokens, width):
        super().__init__()
        self.embed = nn.Embedding(tokens, width)
        self.head = nn.Linear(width, tokens, bias=False)
        self.head.weight = self.embed.weight
        self.start = nn.Linear(width, tokens, bias=False)
        self.start.weight = nn.Parameter(self.embed.weight.detach().clone())
        self.scaled = nn.Linear(width, tokens, bias=False)
        self.scaled.weight = nn.Parameter(self.embed.weight.data * 0.5)
        self.start.weight = nn.Parameter(self.start.weight.data, requires_grad=False)

    def forward(self, ids):
        hidden = self.embed(ids)
        return self.head(hidden) + self.start(hidden) + self.scaled(hidden)


class Autoencoder(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.encoder = nn.Linear(inputs, hidden)

    def forward(self, x):
        return F.linear(F.relu(self.encoder(x)), self.encoder.weight.t())


class Folded(nn.Module):
    """Takes the weights of a layer that is given up for this one."""

    def __init__(self, conv: nn.Conv2d):
        super().__init__()
        self.weight = nn.Parameter(conv.weight)
        self.bias = nn.Parameter(conv.bias.data)


def widen(old: nn.Linear, classes):
    new = nn.Linear(old.in_features, classes)
    new.weight = nn.Parameter(old.weight.data)
    return new
