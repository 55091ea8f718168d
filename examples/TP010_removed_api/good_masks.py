import numpy as np
import torch
from torch import nn


class CausalBlock(nn.Module):
    def __init__(self, length: int) -> None:
        super().__init__()
        self.register_buffer("mask", torch.tril(torch.ones(length, length, dtype=torch.uint8)))

    def forward(self, scores: torch.Tensor) -> torch.Tensor:
        scores = scores.masked_fill(self.mask == 0, -1e9)
        return scores.masked_fill(~self.mask.bool(), -1e9)


def drop_padding(tokens: torch.Tensor, logits: torch.Tensor) -> torch.Tensor:
    keep = (tokens != 0).byte()
    logits[keep.bool().logical_not()] = 0.0
    image = np.zeros((2, 2), dtype=np.uint8)
    logits[0] = image[0, 0]
    return torch.masked_select(tokens, keep > 0)


def choose(mask: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    return tokens.masked_select(mask)
