import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.empty(width))
        self.shift = nn.Parameter(torch.empty(width))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.ones_(self.gain)
        with torch.no_grad():
            self.shift.zero_()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.gain + self.shift


class Cell(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.inner = nn.Parameter(torch.empty(width, width))
        self.outer = nn.Parameter(torch.empty(width, width))
        for weight in self.parameters():
            nn.init.xavier_uniform_(weight)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.inner @ self.outer


class Loaded(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.empty(width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.table


class Head(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.proj = nn.Parameter(torch.empty(width, width))
        self.offset = nn.Parameter(torch.empty(width))
        nn.init.zeros_(self.offset)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.proj + self.offset


def build(width: int) -> Head:
    head = Head(width)
    nn.init.eye_(head.proj)
    return head
