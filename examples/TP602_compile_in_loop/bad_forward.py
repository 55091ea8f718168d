import torch
from models.base import Block
from torch import nn


class Mixer(Block):
    def __init__(self, width: int, compiled: bool) -> None:
        super().__init__(width)
        self.act = nn.GELU()
        self.compiled = compiled

    def mix(self, x: torch.Tensor) -> torch.Tensor:
        return self.act(self.proj(x))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        mix = torch.compile(self.mix) if self.compiled else self.mix  # expect: TP602:15
        return x + mix(x)


class Gate(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.proj = nn.Linear(width, 2 * width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        @torch.compile(dynamic=True)  # expect: TP602:10
        def gate(t: torch.Tensor) -> torch.Tensor:
            left, right = t.chunk(2, dim=-1)
            return left * right.sigmoid()

        return gate(self.proj(x))
