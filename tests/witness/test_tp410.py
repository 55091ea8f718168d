"""TP410: a device or stream is selected where a ``with`` block enters its context manager, not where it is made."""
from __future__ import annotations

import pytest
import torch

needs_gpus = pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two GPUs")


def test_a_statement_selects_nothing() -> None:
    torch.device("meta")
    assert torch.ones(1).device.type == "cpu"


def test_a_block_selects() -> None:
    with torch.device("meta"):
        assert torch.ones(1).device.type == "meta"
    assert torch.ones(1).device.type == "cpu"


def test_the_function_selects() -> None:
    torch.set_default_device("meta")
    try:
        assert torch.ones(1).device.type == "meta"
    finally:
        torch.set_default_device(None)


def test_they_are_context_managers() -> None:
    for manager in (torch.cuda.device(0), torch.cuda.stream(None), torch.accelerator.device_index(0)):
        assert hasattr(manager, "__enter__") and hasattr(manager, "__exit__")


@needs_gpus
def test_the_current_device_stays() -> None:
    torch.cuda.device(1)
    assert torch.cuda.current_device() == 0
    with torch.cuda.device(1):
        assert torch.cuda.current_device() == 1
