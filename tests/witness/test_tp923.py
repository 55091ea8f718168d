"""TP923: a bias before batch norm has no gradient and no effect."""
from __future__ import annotations

import torch
from torch import nn


def outputs(bias: float, between: nn.Module) -> tuple[torch.Tensor, float]:
    torch.manual_seed(0)
    conv = nn.Conv2d(2, 3, 3)
    with torch.no_grad():
        conv.bias.fill_(bias)
    y = nn.Sequential(conv, between, nn.BatchNorm2d(3))(torch.rand(4, 2, 8, 8))
    y.square().mul(torch.rand_like(y)).sum().backward()
    return y.detach(), conv.bias.grad.abs().max().item()


def test_the_bias_is_cancelled() -> None:
    plain, _ = outputs(0.0, nn.Identity())
    shifted, gradient = outputs(2.0, nn.Identity())
    assert torch.allclose(plain, shifted, atol=1e-5)
    assert gradient < 1e-3


def test_behind_an_activation_it_counts() -> None:
    plain, _ = outputs(0.0, nn.ReLU())
    shifted, gradient = outputs(0.3, nn.ReLU())
    assert not torch.allclose(plain, shifted, atol=1e-2)
    assert gradient > 1e-2
