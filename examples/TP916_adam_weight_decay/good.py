"""Decay that is decoupled, zero, or not shown."""
import torch
from torch import nn, optim


def build(net: nn.Module, kind: str, wd: float, options: dict):
    if kind == "adamw":
        return optim.AdamW(net.parameters(), weight_decay=0.01)
    if kind == "decoupled":
        return optim.Adam(net.parameters(), weight_decay=0.01, decoupled_weight_decay=True)
    if kind == "none":
        return torch.optim.Adam(net.parameters(), weight_decay=0)
    if kind == "options":
        return optim.Adam(net.parameters(), weight_decay=0.01, **options)
    return optim.Adam(net.parameters(), weight_decay=wd)
