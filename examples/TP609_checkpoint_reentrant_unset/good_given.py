import functools

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

non_reentrant = functools.partial(checkpoint, use_reentrant=False)


class Decoder(nn.Module):
    def __init__(self, width: int, depth: int) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.checkpointing = {"use_reentrant": False}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False)
            x = checkpoint(block, x, use_reentrant=True)
            x = checkpoint(block, x, **self.checkpointing)
            x = non_reentrant(block, x)
        return x


def in_segments(layers: nn.Sequential, x: torch.Tensor, reentrant: bool) -> torch.Tensor:
    x = checkpoint_sequential(layers, 2, x, False)
    return checkpoint_sequential(layers, 2, x, use_reentrant=reentrant)
