"""Data becomes a tensor; a tensor is cloned, converted, or asked for its type first."""
from typing import Union

import numpy as np
import torch


def batch(samples: list[float], image: np.ndarray, like: torch.Tensor):
    first = torch.tensor(samples)
    second = torch.tensor(image)
    third = like.new_tensor([1.0, 2.0])
    fourth = torch.Tensor(3, 4)
    fifth = torch.tensor(like.shape)
    sixth = torch.tensor(like.mean().item() + len(like))
    seventh = torch.tensor(like.tolist()) + torch.tensor(like.numpy())
    return first, second, third, fourth, fifth, sixth, seventh


def copies(weights: torch.Tensor):
    return weights.clone(), weights.detach().clone(), weights.to(torch.float64), torch.as_tensor(weights)


def to_tensor(value: Union[torch.Tensor, np.ndarray, float]):
    return value if torch.is_tensor(value) else torch.tensor(value)


def coerced(value: torch.Tensor):
    if not isinstance(value, torch.Tensor):
        value = torch.tensor(value)
    return value


def wrapped(bound: "float | torch.Tensor"):
    return torch.tensor(bound, dtype=torch.float32)
