"""A tensor made by a helper of another file, and a parameter of a module."""
import torch
import torch.nn as nn

from .sampling import noise


class Prompt(nn.Module):
    def __init__(self, length: int, width: int, device: torch.device) -> None:
        super().__init__()
        self.tokens = nn.Parameter(torch.zeros(length, width))
        self.tokens.to(device)  # expect: TP401:9
        self.norm = nn.LayerNorm(width)
        self.norm.to(device)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(torch.cat([self.tokens.expand(x.size(0), -1, -1), x], dim=1))


def sample(generator: nn.Module, device: torch.device) -> torch.Tensor:
    z = noise(16, 100)
    z.to(device)  # expect: TP401:5
    return generator(z)
