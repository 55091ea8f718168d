"""Gradients are dropped on some paths only, or computed anew before the step."""
import torch
import torch.nn.functional as F
from losses import go_backward


def drop_what_is_not_finite(model, optimizer, batches):
    for x, y in batches:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        if not torch.isfinite(loss):
            optimizer.zero_grad()
        optimizer.step()


def probe_first(model, optimizer, batches):
    for x, y in batches:
        F.mse_loss(model(x), y).backward()
        print(sum(p.grad.norm().item() for p in model.parameters()))
        optimizer.zero_grad()
        F.l1_loss(model(x), y).backward()
        optimizer.step()


def probe_and_hand_on(model, optimizer, batches):
    for x, y in batches:
        F.mse_loss(model(x), y).backward()
        optimizer.zero_grad()
        go_backward(model, x, y)
        optimizer.step()
