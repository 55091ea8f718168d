"""TP114: gradients of k batches are their sum, not their mean."""
from __future__ import annotations

import torch
from torch import nn


def gradient(batches: list[tuple[torch.Tensor, torch.Tensor]], divisor: int) -> torch.Tensor:
    """Return what has accumulated in the weight after a mean loss over each of *batches*."""
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    for x, y in batches:
        (nn.functional.mse_loss(model(x), y) / divisor).backward()
    assert model.weight.grad is not None
    return model.weight.grad


def made() -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Return four batches of equal size."""
    torch.manual_seed(1)
    return [(torch.randn(8, 3), torch.randn(8, 1)) for _ in range(4)]


def test_undivided_losses_add_up_to_k_times_the_gradient() -> None:
    batches = made()
    whole = [(torch.cat([x for x, _ in batches]), torch.cat([y for _, y in batches]))]
    assert torch.allclose(gradient(batches, 1), 4 * gradient(whole, 1), rtol=1e-4)


def test_divided_losses_give_the_gradient_of_the_whole() -> None:
    batches = made()
    whole = [(torch.cat([x for x, _ in batches]), torch.cat([y for _, y in batches]))]
    assert torch.allclose(gradient(batches, 4), gradient(whole, 1), rtol=1e-4)
