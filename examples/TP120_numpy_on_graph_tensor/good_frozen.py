"""Frozen modules record no graph."""
import torch
from torch import nn


def table(words, width):
    embedding = nn.Embedding(words, width).requires_grad_(False)
    return embedding.weight.numpy()


def features(batch):
    encoder = nn.Linear(8, 2)
    for parameter in encoder.parameters():
        parameter.requires_grad = False
    return encoder(torch.as_tensor(batch)).numpy()
