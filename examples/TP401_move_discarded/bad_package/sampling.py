"""Makes noise."""
import torch


def noise(count: int, size: int):
    return torch.randn(count, size)
