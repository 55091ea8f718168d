"""Who asks for the dimensions first may index."""
import torch
import torch.nn.functional as F


def first(scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    loss = F.cross_entropy(scores, labels)
    if loss.dim() > 0:
        loss = loss[0]
    return loss


def number(scores: torch.Tensor) -> torch.Tensor:
    best = scores.max()
    return best[0] if len(best.shape) else best
