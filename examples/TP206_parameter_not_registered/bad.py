import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.alpha = torch.zeros(width, requires_grad=True)  # expect: TP206:9

    def forward(self, x):
        return x * torch.sigmoid(self.alpha * self.norm(x))


def main():
    gate = Gate(8)
    optimizer = torch.optim.Adam(gate.parameters(), lr=1e-3)
    for _ in range(10):
        optimizer.zero_grad()
        gate(torch.randn(4, 8)).square().mean().backward()
        optimizer.step()


if __name__ == "__main__":
    main()
