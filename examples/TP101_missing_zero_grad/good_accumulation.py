"""Accumulated on purpose: gradients are cleared where they have been used."""
import torch
import torch.nn.functional as F
from torch import nn


def clear_where_you_step(model, batches, every=4):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for index, (x, y) in enumerate(batches, start=1):
        loss = F.cross_entropy(model(x), y) / every
        loss.backward()
        if index % every == 0 or index == len(batches):
            optimizer.step()
            optimizer.zero_grad()


def clear_around_the_chunks(model: nn.Module, batches, chunks=4):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for x, y in batches:
        optimizer.zero_grad()
        for part, target in zip(x.chunk(chunks), y.chunk(chunks)):
            loss = F.cross_entropy(model(part), target) / chunks
            loss.backward()
        optimizer.step()


def clear_when_a_group_starts(model, batches, every=4):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for index, (x, y) in enumerate(batches):
        if index % every == 0:
            optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y) / every
        loss.backward()
        if index % every == every - 1:  # expect: TP917:9
            optimizer.step()
