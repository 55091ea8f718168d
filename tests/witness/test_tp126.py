"""TP126: a loss that was overwritten leaves no gradient."""
from __future__ import annotations

import torch
from torch import nn


def gradients(add: bool) -> tuple[torch.Tensor | None, torch.Tensor | None]:
    """Return the gradients of two heads, each with a loss of its own."""
    first, second = nn.Linear(2, 1), nn.Linear(2, 1)
    x = torch.ones(4, 2)
    loss = first(x).square().mean()
    loss = loss + second(x).square().mean() if add else second(x).square().mean()
    loss.backward()
    return first.weight.grad, second.weight.grad


def test_the_overwritten_loss_trains_nothing() -> None:
    first, second = gradients(add=False)
    assert first is None and second is not None


def test_the_sum_trains_both() -> None:
    first, second = gradients(add=True)
    assert first is not None and second is not None


def test_after_a_loop_only_the_last_counts() -> None:
    weight = torch.ones((), requires_grad=True)
    for x in (1.0, 2.0, 4.0):
        loss = weight * x
    loss.backward()
    assert weight.grad == 4.0
