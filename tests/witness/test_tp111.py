"""TP111: a step between ``zero_grad`` and ``backward``."""
from __future__ import annotations

import torch


def trained(step_first: bool) -> float:
    """Return the weight after three iterations on the loss ``2 * weight``, from 1.0."""
    weight = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=0.25)
    for _ in range(3):
        optimizer.zero_grad()
        loss = 2.0 * weight
        if step_first:
            optimizer.step()
        loss.backward()
        if not step_first:
            optimizer.step()
    return weight.item()


def test_nothing_is_learnt() -> None:
    assert trained(step_first=True) == 1.0


def test_in_order_it_is() -> None:
    assert trained(step_first=False) == -0.5


def test_a_pipeline_learns_one_step_late() -> None:
    weight = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=0.25)
    for _ in range(3):
        optimizer.step()
        optimizer.zero_grad()
        (2.0 * weight).backward()
    assert weight.item() == 0.0
