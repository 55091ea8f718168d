"""TP124: what an optimizer and a scheduler forget when they are built anew."""
from __future__ import annotations

import torch


def trained(rebuild: bool, kind: type[torch.optim.Optimizer], **options: float) -> float:
    """Return a parameter after three steps with the gradients 1, 0 and 0."""
    parameter = torch.nn.Parameter(torch.tensor(0.0))
    optimizer = kind([parameter], lr=0.1, **options)  # type: ignore[call-arg]
    for gradient in (1.0, 0.0, 0.0):
        if rebuild:
            optimizer = kind([parameter], lr=0.1, **options)  # type: ignore[call-arg]
        parameter.grad = torch.tensor(gradient)
        optimizer.step()
    return parameter.item()


def test_momentum_is_lost() -> None:
    assert trained(rebuild=True, kind=torch.optim.SGD, momentum=0.9) == trained(rebuild=True, kind=torch.optim.SGD)
    assert trained(rebuild=False, kind=torch.optim.SGD, momentum=0.9) < trained(rebuild=False, kind=torch.optim.SGD)


def test_the_moments_of_adam_are_lost() -> None:
    assert trained(rebuild=False, kind=torch.optim.Adam) < trained(rebuild=True, kind=torch.optim.Adam)


def test_plain_sgd_has_nothing_to_lose() -> None:
    assert trained(rebuild=True, kind=torch.optim.SGD) == trained(rebuild=False, kind=torch.optim.SGD)


def rate(rebuild: bool) -> float:
    """Return the learning rate after six epochs of a schedule that halves it every second one."""
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.tensor(0.0))], lr=1.0)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    for _ in range(6):
        if rebuild:
            scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
        optimizer.step()
        scheduler.step()
    return float(optimizer.param_groups[0]["lr"])


def test_a_schedule_stays_at_its_start() -> None:
    assert rate(rebuild=True) == 1.0
    assert rate(rebuild=False) == 0.125
