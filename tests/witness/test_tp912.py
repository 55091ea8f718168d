"""TP912: zeros are gradients, and weights without a gradient move; None is the default."""
from __future__ import annotations

import torch


def moved_without_gradient(**choice: bool) -> bool:
    w = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9, weight_decay=0.1)
    w.sum().backward()
    optimizer.step()
    optimizer.zero_grad(**choice)
    before = w.detach().clone()
    optimizer.step()
    return not torch.equal(before, w)


def test_zeros_move_what_got_no_gradient() -> None:
    assert moved_without_gradient(set_to_none=False)


def test_none_does_not_and_is_the_default() -> None:
    assert not moved_without_gradient()
    assert not moved_without_gradient(set_to_none=True)
