"""Parameters that are not trained may change, and a dictionary of parameters is no parameter."""
import torch
from torch import nn


class NoisyLinear(nn.Module):
    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.mean = nn.Parameter(torch.randn(outputs, inputs))
        self.noise = nn.Parameter(torch.zeros(outputs, inputs), requires_grad=False)

    def resample(self) -> None:
        self.noise.normal_()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.functional.linear(x, self.mean + self.noise)


class Explainer(nn.Module):
    def start(self, sizes: dict[str, int]) -> None:
        self.mask = {} if len(sizes) > 1 else None
        for kind, size in sizes.items():
            if self.mask is None:
                self.mask = nn.Parameter(torch.rand(size))
            else:
                self.put(kind, size)

    def put(self, kind: str, size: int) -> None:
        self.mask[kind] = nn.Parameter(torch.rand(size))
