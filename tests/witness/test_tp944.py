"""TP944: a move copies each time it has something to do; a tensor that is there already is given back as it is.

A second type stands for the second device, which `to` treats alike.
"""
from __future__ import annotations

import torch


def test_each_move_copies() -> None:
    weights = torch.ones(4)
    moved = [weights.to(torch.float64) for _ in range(3)]
    assert len({tensor.data_ptr() for tensor in moved}) == 3


def test_moved_once() -> None:
    weights = torch.ones(4).to(torch.float64)
    assert weights.to(torch.float64) is weights
