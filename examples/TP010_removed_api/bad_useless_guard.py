"""`torch.symeig` is still there, to raise: looking for it, or for an AttributeError, finds nothing wrong."""
import torch


def eigenvalues(matrix: torch.Tensor) -> torch.Tensor:
    try:
        return torch.symeig(matrix)[0]  # expect: TP010:16
    except AttributeError:
        return torch.linalg.eigvalsh(matrix)


def solve(matrix: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    if hasattr(torch, "solve"):
        return torch.solve(right, matrix)[0]  # expect: TP010:16
    return torch.linalg.solve(matrix, right)
