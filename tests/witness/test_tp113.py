"""TP113: gradients clipped before ``backward`` or after ``step``."""
from __future__ import annotations

import pytest
import torch


def trained(order: str) -> float:
    """Return the weight after one step on the loss ``100 * weight``, from 1.0, with the parts run in *order*."""
    weight = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=0.5)
    parts = {
        "backward": lambda: (100.0 * weight).backward(),
        "clip": lambda: torch.nn.utils.clip_grad_norm_([weight], 1.0),
        "step": optimizer.step,
    }
    for name in order.split():
        parts[name]()
    return weight.item()


@pytest.mark.parametrize("order", ["clip backward step", "backward step clip"])
def test_nothing_is_clipped(order: str) -> None:
    assert trained(order) == -49.0


def test_the_step_uses_clipped_gradients() -> None:
    assert trained("backward clip step") == pytest.approx(0.5, abs=1e-4)
