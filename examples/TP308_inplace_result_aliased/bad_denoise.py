import torch
import torch.nn.functional as F
from torch import nn


def corrupt(x: torch.Tensor, level: float) -> tuple[torch.Tensor, torch.Tensor]:
    noise = torch.randn_like(x)
    noisy = x.add_(noise, alpha=level)  # expect: TP308:13
    return noisy, x - noisy


class Denoiser:
    def __init__(self, net: nn.Module) -> None:
        self.net = net

    def loss(self, images: torch.Tensor, drop: float) -> torch.Tensor:
        keep = torch.rand_like(images) > drop
        masked = images.mul_(keep)  # expect: TP308:18
        restored = self.net(masked)
        return F.mse_loss(restored, images)

    def steps(self, images: torch.Tensor, count: int) -> list[torch.Tensor]:
        distances = []
        for _ in range(count):
            brighter = images.mul_(1.1).clamp_(0, 1)  # expect: TP308:24
            distances.append((brighter - images).norm())
        return distances
