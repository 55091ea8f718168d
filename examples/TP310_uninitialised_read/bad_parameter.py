import torch
import torch.nn.functional as F
from torch import nn


class Linear(nn.Module):
    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs))
        self.bias = nn.Parameter(torch.empty(outputs))  # expect: TP310:21
        nn.init.kaiming_uniform_(self.weight)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.linear(x, self.weight, self.bias)


class Attention(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.query = nn.Parameter(torch.Tensor(width, width))
        self.scale = torch.nn.Parameter(torch.Tensor(width, 1))  # expect: TP310:22
        self.reset()

    def reset(self) -> None:
        self.query.data.uniform_(-0.1, 0.1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (x @ self.query) @ self.scale
