"""TP115: gradients clipped while they are scaled."""
from __future__ import annotations

import pytest
import torch


def clipped(unscale: bool) -> tuple[float, float]:
    """Return the norm that clipping reports for the loss ``2 * weight``, and how far one step then moves the weight."""
    weight = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=1.0)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    scaler.scale(2.0 * weight).backward()
    if unscale:
        scaler.unscale_(optimizer)
    norm = torch.nn.utils.clip_grad_norm_([weight], 1.0)
    scaler.step(optimizer)
    scaler.update()
    return norm.item(), 1.0 - weight.item()


def test_the_update_is_smaller_by_the_scale() -> None:
    norm, moved = clipped(unscale=False)
    assert norm == 2.0 * 1024.0
    assert moved == pytest.approx(1.0 / 1024.0, rel=1e-2)


def test_unscaled_gradients_are_clipped_to_the_limit() -> None:
    norm, moved = clipped(unscale=True)
    assert norm == 2.0
    assert moved == pytest.approx(1.0, rel=1e-2)
