"""TP308: what an operation in place returns is the tensor itself."""
from __future__ import annotations

import torch


def test_result_is_the_tensor() -> None:
    x = torch.ones(3)
    noisy = x.add_(torch.full((3,), 0.5))
    assert noisy is x
    assert torch.equal(x - noisy, torch.zeros(3))  # the noise is gone from the difference
    chained = x.mul_(2).clamp_(0, 1)
    assert chained is x


def test_loss_against_the_changed_data_is_zero() -> None:
    images = torch.rand(2, 4)
    masked = images.mul_(torch.tensor([0.0, 1.0, 1.0, 1.0]))
    assert torch.nn.functional.mse_loss(masked, images).item() == 0


def test_shape_changes_too() -> None:
    table = torch.zeros(2, 3)
    flipped = table.transpose_(0, 1)
    assert flipped is table
    assert table.shape == (3, 2)


def test_without_the_underscore_both_remain() -> None:
    x = torch.ones(3)
    noisy = x.add(0.5)
    assert torch.equal(noisy - x, torch.full((3,), 0.5))
    assert torch.equal(x, torch.ones(3))
