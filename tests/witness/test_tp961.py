"""TP961: an export keeps the sizes of the example unless it is told which may change.

The ONNX exporter runs `torch.export` first, with the same `dynamic_shapes`; that is what runs here without ONNX.
"""
from __future__ import annotations

import pytest
import torch
from torch import nn


def test_sizes_of_the_example() -> None:
    program = torch.export.export(nn.Linear(8, 2).eval(), (torch.randn(2, 8),)).module()
    assert program(torch.randn(2, 8)).shape == (2, 2)
    with pytest.raises((AssertionError, RuntimeError)):
        program(torch.randn(5, 8))


def test_dynamic_shapes() -> None:
    shapes = ({0: torch.export.Dim.DYNAMIC},)
    program = torch.export.export(nn.Linear(8, 2).eval(), (torch.randn(2, 8),), dynamic_shapes=shapes).module()
    assert program(torch.randn(5, 8)).shape == (5, 2)
