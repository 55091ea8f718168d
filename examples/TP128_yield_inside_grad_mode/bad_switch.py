"""The same with a switch, and with a mode for numbers beside it."""
import torch


def batches(model, loader):
    with torch.set_grad_enabled(False), torch.autocast("cuda"):
        for x in loader:
            yield model(x)  # expect: TP128:13


def train(model, loader, head, optimizer):
    stream = batches(model, loader)
    for _ in range(10):
        loss = head(next(stream)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
