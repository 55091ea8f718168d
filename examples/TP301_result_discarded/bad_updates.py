"""Gradients, tokens and outputs that stay as they were."""
import torch
from torch import nn


def clip(net: nn.Module) -> None:
    for parameter in net.parameters():
        parameter.grad.clamp(-1, 1)  # expect: TP301:9


def generate(net: nn.Module, tokens: torch.Tensor, count: int) -> torch.Tensor:
    for _ in range(count):
        following = net(tokens)[:, -1].argmax(-1, keepdim=True)
        torch.cat((tokens, following), dim=1)  # expect: TP301:9
    return tokens


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = self.layers(x)
        out.squeeze(-1)  # expect: TP301:9
        return out
