"""TP217: every registration adds a hook."""
from __future__ import annotations

import torch
from torch import nn


def calls_per_pass(passes: int, remove: bool) -> list[int]:
    layer = nn.Linear(2, 2)
    called: list[object] = []
    found = []
    for _ in range(passes):
        called.clear()
        handle = layer.register_forward_hook(lambda module, inputs, output: called.append(module))
        layer(torch.ones(1, 2))
        if remove:
            handle.remove()
        found.append(len(called))
    return found


def test_hooks_pile_up() -> None:
    assert calls_per_pass(3, remove=False) == [1, 2, 3]


def test_removed_ones_do_not() -> None:
    assert calls_per_pass(3, remove=True) == [1, 1, 1]
