"""TP102: gradients cleared between ``backward`` and ``step``."""
from __future__ import annotations

import torch


def trained(between: bool, momentum: float = 0.0, weight_decay: float = 0.0) -> float:
    """Return the weight after one step on the loss ``2 * weight``, from 1.0."""
    weight = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=0.25, momentum=momentum, weight_decay=weight_decay)
    (2.0 * weight).backward()
    if between:
        optimizer.zero_grad()
    optimizer.step()
    return weight.item()


def test_the_step_does_nothing() -> None:
    assert trained(between=True) == 1.0
    assert trained(between=True, momentum=0.9, weight_decay=0.1) == 1.0


def test_zeroed_gradients_still_decay_weights() -> None:
    weight = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=0.25, weight_decay=0.1)
    (2.0 * weight).backward()
    optimizer.zero_grad(set_to_none=False)
    optimizer.step()
    assert 0.97 < weight.item() < 0.98


def test_the_step_uses_the_gradient() -> None:
    assert trained(between=False) == 0.5
