"""TP117: the backward pass runs under autocast."""
from __future__ import annotations

import torch


def gradient(inside: bool) -> torch.Tensor:
    """Return the gradient of a layer that was kept in float32 on purpose."""
    weight = torch.linspace(0.1, 1.3, 12).reshape(3, 4).requires_grad_()
    inputs = torch.linspace(-1.0, 1.7, 8).reshape(2, 4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        with torch.autocast("cpu", enabled=False):
            loss = (inputs @ weight.t()).pow(2).sum()
        if inside:
            loss.backward()
    if not inside:
        loss.backward()
    assert weight.grad is not None
    return weight.grad


def exact() -> torch.Tensor:
    """Return the gradient computed without autocast."""
    weight = torch.linspace(0.1, 1.3, 12).reshape(3, 4).requires_grad_()
    inputs = torch.linspace(-1.0, 1.7, 8).reshape(2, 4)
    (inputs @ weight.t()).pow(2).sum().backward()
    assert weight.grad is not None
    return weight.grad


def test_the_gradient_loses_digits() -> None:
    error = (gradient(inside=True) - exact()).abs().max().item()
    assert error > 1e-3


def test_outside_it_is_exact() -> None:
    assert torch.equal(gradient(inside=False), exact())
