"""What the file does not show: other people's modules, sizes that may fit, and branches that exclude each other."""
import numpy as np
import torch
import torch.nn.functional as F
from einops import rearrange


def positions(table: torch.Tensor, size: int) -> torch.Tensor:
    side = int(table.shape[1] ** 0.5)
    dim = table.shape[-1]
    grid = table.reshape(1, side, side, dim).permute(0, 3, 1, 2)
    grid = F.interpolate(grid, size=(size, size), mode="bicubic")
    return grid.permute(0, 2, 3, 1).view(1, -1, dim)


def rearranged(x):
    return rearrange(x, "b c t -> b t c").transpose(1, 2).view(x.shape[0], -1)


def maybe(x: torch.Tensor, time_first: bool) -> torch.Tensor:
    if time_first:
        x = x.transpose(0, 1).contiguous()
    else:
        x = x.clone()
    return x.view(x.size(0), -1)


def swapped_by_caller(x):
    return x.transpose(1, 2).view(x.size(0), -1)


def caller() -> torch.Tensor:
    return swapped_by_caller(torch.randn(4, 5, 6).transpose(1, 2))


def bits(array: np.ndarray) -> np.ndarray:
    return array.T.view(np.uint8)


def grouped(x: torch.Tensor, *shape: int) -> torch.Tensor:
    return x.transpose(1, 2).view(*shape)


def parts(head: torch.Tensor) -> torch.Tensor:
    data = head.view(head.size(0), -1, 17)
    boxes, scores, overlap = data.split((14, 2, 1), dim=-1)
    return overlap.view(overlap.size(0), -1, 1) + boxes.sum() + scores.sum()


def padded(predict, batch) -> torch.Tensor:
    hazards = predict(batch)
    mass = F.pad(hazards.view(hazards.size(0), -1), (0, 1)).softmax(1)[:, :-1]
    return mass.view(hazards.shape).transpose(0, 1)
