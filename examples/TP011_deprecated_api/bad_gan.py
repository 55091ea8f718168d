import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.nn.init as init
from torch import autograd


def weights_init(module: nn.Module) -> None:
    if isinstance(module, nn.Conv2d):
        init.xavier_normal(module.weight)  # expect: TP011:9
        init.constant(module.bias, 0)  # expect: TP011:9


class Generator(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.up = nn.UpsamplingBilinear2d(scale_factor=2)  # expect: TP011:19
        self.conv = nn.Conv2d(64, 3, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv(F.upsample(self.up(x), scale_factor=2))  # expect: TP011:26


def gradient_penalty(critic: nn.Module, real: torch.Tensor, fake: torch.Tensor) -> torch.Tensor:
    mixed = autograd.Variable(0.5 * real + 0.5 * fake, requires_grad=True)  # expect: TP011:13
    grads = autograd.grad(critic(mixed).sum(), mixed, create_graph=True, only_inputs=True)[0]  # expect: TP011:13
    return ((grads.flatten(1).norm(2, dim=1) - 1) ** 2).mean()


def grid(height: int, width: int) -> torch.Tensor:
    rows, columns = torch.meshgrid(torch.arange(height), torch.arange(width))  # expect: TP011:21
    return torch.stack([rows, columns])
