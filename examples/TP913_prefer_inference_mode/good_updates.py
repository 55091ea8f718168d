"""Blocks that change tensors, and the mode that is asked for."""
import torch
from torch import nn


def average(model: nn.Module, other: nn.Module) -> None:
    with torch.no_grad():
        for mine, its in zip(model.parameters(), other.parameters()):
            mine.lerp_(its, 0.1)


def score(model: nn.Module, x: torch.Tensor) -> float:
    model.eval()
    with torch.inference_mode():
        return model(x).mean().item()
