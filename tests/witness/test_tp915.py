"""TP915: gradients that vanish in float16 do not in bfloat16, scaled or not."""
from __future__ import annotations

import torch

SMALL = 1e-12


def gradient(dtype: torch.dtype, scale: float) -> float:
    w = torch.ones(1, dtype=dtype, requires_grad=True)
    ((w * SMALL).sum() * scale).backward()
    assert w.grad is not None
    return float(w.grad) / scale


def test_float16_needs_the_scale() -> None:
    assert gradient(torch.float16, 1.0) == 0
    assert gradient(torch.float16, 2.0**40) > 0


def test_bfloat16_does_not() -> None:
    assert gradient(torch.bfloat16, 1.0) == gradient(torch.bfloat16, 2.0**16) > 0
