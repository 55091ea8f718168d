"""Cleared before backward, or after the step."""
import torch.nn.functional as F


def clear_first(model, optimizer, batches):
    for x, y in batches:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()


def clear_last(model, optimizer, batches):
    for x, y in batches:
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()
