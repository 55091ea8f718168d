"""TP101: what a missing ``zero_grad`` does."""
from __future__ import annotations

import torch


def gradients(clear: bool, steps: int = 3) -> list[float]:
    """Return the gradient that each step sees, at learning rate 0 so that the loss stays the same."""
    weight = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=0.0)
    seen = []
    for _ in range(steps):
        if clear:
            optimizer.zero_grad()
        (2.0 * weight).backward()
        assert weight.grad is not None
        seen.append(weight.grad.item())
        optimizer.step()
    return seen


def test_gradients_accumulate() -> None:
    assert gradients(clear=False) == [2.0, 4.0, 6.0]


def test_cleared_gradients_do_not() -> None:
    assert gradients(clear=True) == [2.0, 2.0, 2.0]


def test_training_does_not_settle() -> None:
    def distance(clear: bool) -> float:
        weight = torch.tensor(0.0, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.4)
        for _ in range(60):
            if clear:
                optimizer.zero_grad()
            (weight - 1.0).square().backward()
            optimizer.step()
        return abs(weight.item() - 1.0)

    assert distance(clear=True) < 1e-3 < 0.1 < distance(clear=False)


def test_a_new_optimizer_does_not_clear() -> None:
    weight = torch.tensor(1.0, requires_grad=True)
    for expected in (2.0, 4.0):
        torch.optim.SGD([weight], lr=0.0)
        (2.0 * weight).backward()
        assert weight.grad is not None and weight.grad.item() == expected


def test_lbfgs_adds_up_within_one_step() -> None:
    def distance(clear: bool) -> float:
        weight = torch.zeros(2, requires_grad=True)
        optimizer = torch.optim.LBFGS([weight], lr=0.5, max_iter=5)

        def closure() -> torch.Tensor:
            if clear:
                optimizer.zero_grad()
            loss = (weight - 1.0).square().sum()
            loss.backward()
            return loss

        for _ in range(5):
            optimizer.step(closure)  # type: ignore[arg-type]
        return (weight - 1.0).abs().max().item()

    assert distance(clear=True) < 1e-2 < distance(clear=False)
