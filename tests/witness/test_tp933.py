"""TP933: grown in a loop, everything is copied in each pass; from a list, once."""
from __future__ import annotations

import torch
from torch.utils._python_dispatch import TorchDispatchMode

PASSES = 50


class Copied(TorchDispatchMode):
    """Counts the numbers that ``cat`` copies."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
        out = func(*args, **(kwargs or {}))
        if func is torch.ops.aten.cat.default:
            self.count += out.numel()
        return out


def test_copies() -> None:
    with Copied() as grown:
        rows = torch.empty(0)
        for _ in range(PASSES):
            rows = torch.cat([rows, torch.ones(1)])
    with Copied() as listed:
        other = torch.cat([torch.ones(1) for _ in range(PASSES)])
    assert torch.equal(rows, other)
    assert grown.count == PASSES * (PASSES + 1) // 2
    assert listed.count == PASSES
