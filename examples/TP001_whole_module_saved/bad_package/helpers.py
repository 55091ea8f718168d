"""Helpers that write what they are given."""
import torch


def save_checkpoint(state, path, is_best=False):
    torch.save(state, path)
    if is_best:
        torch.save(state, "best.pt")


def keep_network(network, path):
    torch.save(network, path)
