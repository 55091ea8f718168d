"""TP112: the scheduler steps before the optimizer."""
from __future__ import annotations

import warnings

import torch
from torch.optim.lr_scheduler import ExponentialLR, LRScheduler, StepLR


def rates(first: str) -> tuple[list[float], list[str]]:
    """Return the learning rates that three updates use, and the warnings."""
    weight = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=1.0)
    scheduler: LRScheduler = ExponentialLR(optimizer, gamma=0.5)
    used = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            optimizer.zero_grad()
            (2.0 * weight).backward()
            if first == "scheduler":
                scheduler.step()
            used.append(optimizer.param_groups[0]["lr"])
            optimizer.step()
            if first == "optimizer":
                scheduler.step()
    return used, [str(warning.message) for warning in caught]


def test_the_first_rate_is_skipped() -> None:
    used, said = rates(first="scheduler")
    assert used == [0.5, 0.25, 0.125]
    assert any("before `optimizer.step()`" in message for message in said)


def test_in_order_it_is_used() -> None:
    used, said = rates(first="optimizer")
    assert used == [1.0, 0.5, 0.25]
    assert not any("before `optimizer.step()`" in message for message in said)


def test_a_scheduler_that_is_told_the_epoch_skips_nothing() -> None:
    weight = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=1.0)
    scheduler = StepLR(optimizer, step_size=1, gamma=0.5)
    used = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for epoch in range(3):
            scheduler.step(epoch)
            used.append(optimizer.param_groups[0]["lr"])
            (2.0 * weight).backward()
            optimizer.step()
    assert used == [1.0, 0.5, 0.25]


def test_a_scheduler_that_is_set_back_skips_nothing() -> None:
    weight = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=1.0)
    scheduler = StepLR(optimizer, step_size=2, gamma=0.5)
    scheduler.last_epoch = -1
    used = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(4):
            scheduler.step()
            used.append(optimizer.param_groups[0]["lr"])
            (2.0 * weight).backward()
            optimizer.step()
    assert used == [1.0, 1.0, 0.5, 0.5]
