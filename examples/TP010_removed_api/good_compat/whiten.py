import torch

from .linalg import TORCH_1_9, eigh


def whiten(features: torch.Tensor) -> torch.Tensor:
    values, vectors = eigh(features.T @ features)
    return features @ vectors / values.sqrt()


def largest(features: torch.Tensor) -> torch.Tensor:
    gram = features.T @ features
    return torch.linalg.eigvalsh(gram)[-1] if TORCH_1_9 else torch.symeig(gram)[0][-1]
