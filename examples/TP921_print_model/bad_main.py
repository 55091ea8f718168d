import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.inner = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x).relu()


class Runner:
    def __init__(self, width: int):
        self.net = Net(width)

    def describe(self) -> None:
        print("network:", self.net)  # expect: TP921:9


if __name__ == "__main__":
    Runner(8).describe()
