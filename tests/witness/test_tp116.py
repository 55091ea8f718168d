"""TP116: the parts of a ``GradScaler`` used out of order."""
from __future__ import annotations

import pytest
import torch

SCALE = 8.0


class Training:
    """One weight, from 1.0, and the parts of a step on the loss ``2 * weight``."""

    def __init__(self) -> None:
        self.weight = torch.tensor(1.0, requires_grad=True)
        self.optimizer = torch.optim.SGD([self.weight], lr=0.25)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=SCALE)

    def loss(self) -> torch.Tensor:
        """Return the loss."""
        return 2.0 * self.weight

    def moved(self) -> float:
        """Return how far the weight has moved, in units of the right step."""
        return (1.0 - self.weight.item()) / 0.5


def test_in_order() -> None:
    run = Training()
    run.scaler.scale(run.loss()).backward()
    run.scaler.step(run.optimizer)
    run.scaler.update()
    assert run.moved() == 1.0


def test_a_plain_step_is_too_large() -> None:
    run = Training()
    run.scaler.scale(run.loss()).backward()
    run.optimizer.step()
    assert run.moved() == SCALE
    with pytest.raises(AssertionError, match="No inf checks were recorded"):
        run.scaler.update()


def test_a_plain_step_after_unscale_is_right() -> None:
    run = Training()
    run.scaler.scale(run.loss()).backward()
    run.scaler.unscale_(run.optimizer)
    run.optimizer.step()
    run.scaler.update()
    assert run.moved() == 1.0


def test_an_unscaled_loss() -> None:
    run = Training()
    run.loss().backward()
    with pytest.raises(AssertionError, match="_scale is None"):
        run.scaler.step(run.optimizer)


def test_a_scaled_loss_that_is_dropped() -> None:
    run = Training()
    loss = run.loss()
    run.scaler.scale(loss)
    loss.backward()
    run.scaler.step(run.optimizer)
    assert run.moved() == pytest.approx(1.0 / SCALE)


def test_no_update() -> None:
    run = Training()
    run.scaler.scale(run.loss()).backward()
    run.scaler.step(run.optimizer)
    run.scaler.scale(run.loss()).backward()
    with pytest.raises(RuntimeError, match="since the last update"):
        run.scaler.step(run.optimizer)


def test_update_before_step() -> None:
    run = Training()
    run.scaler.scale(run.loss()).backward()
    with pytest.raises(AssertionError, match="No inf checks were recorded"):
        run.scaler.update()


def test_one_update_for_two_optimizers() -> None:
    one, other = Training(), Training()
    for run in (one, other):
        one.scaler.scale(run.loss()).backward()
        one.scaler.step(run.optimizer)
    one.scaler.update()
    assert one.moved() == other.moved() == 1.0


def test_switched_off() -> None:
    run = Training()
    scaler = torch.amp.GradScaler("cpu", enabled=False)
    scaler.scale(run.loss()).backward()
    run.optimizer.step()
    assert run.moved() == 1.0
