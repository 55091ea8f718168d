"""TP118: the old names of automatic mixed precision warn, the new ones do not."""
from __future__ import annotations

import warnings
from collections.abc import Callable

import pytest
import torch


def identity(ctx: object, x: torch.Tensor) -> torch.Tensor:
    """Return *x*; stands for the forward or backward of an autograd function."""
    return x


OLD: dict[str, Callable[[], object]] = {
    "torch.cuda.amp.autocast": lambda: torch.cuda.amp.autocast(),
    "torch.cuda.amp.GradScaler": lambda: torch.cuda.amp.GradScaler(),
    "torch.cuda.amp.custom_fwd": lambda: torch.cuda.amp.custom_fwd(identity),
    "torch.cuda.amp.custom_bwd": lambda: torch.cuda.amp.custom_bwd(identity),
    "torch.cpu.amp.autocast": lambda: torch.cpu.amp.autocast(),
    "torch.cpu.amp.GradScaler": lambda: torch.cpu.amp.GradScaler(),
}
NEW: dict[str, Callable[[], object]] = {
    "autocast": lambda: torch.amp.autocast("cpu"),
    "GradScaler": lambda: torch.amp.GradScaler("cpu"),
    "custom_fwd": lambda: torch.amp.custom_fwd(device_type="cuda")(identity),
    "custom_bwd": lambda: torch.amp.custom_bwd(device_type="cuda")(identity),
}


def warned(call: Callable[[], object]) -> list[str]:
    """Return the deprecations that *call* announces."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(warning.message) for warning in caught if issubclass(warning.category, FutureWarning)]


@pytest.mark.parametrize("name", OLD)
def test_old_names_warn(name: str) -> None:
    [message] = warned(OLD[name])
    assert name in message and "deprecated" in message


@pytest.mark.parametrize("name", NEW)
def test_new_names_do_not(name: str) -> None:
    assert warned(NEW[name]) == []
