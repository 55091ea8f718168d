"""TP121: what float16 does to small gradients, and a scaler to that.

Autocast on the CPU takes float16 as well, so nothing here needs a GPU but the default of CUDA, which torch tells.
"""
from __future__ import annotations

import torch
from torch import nn


def gradient(dtype: torch.dtype, scale: float) -> torch.Tensor:
    """Return the gradient of a weight whose true gradient is 1e-9, computed under autocast."""
    model = nn.Linear(4, 1, bias=False)
    with torch.autocast("cpu", dtype=dtype):
        loss = model(torch.full((1, 4), 1e-3)).float().sum() * 1e-6
    (loss * scale).backward()
    assert model.weight.grad is not None
    return model.weight.grad / scale


def test_small_gradients_are_flushed_to_zero() -> None:
    assert torch.count_nonzero(gradient(torch.float16, 1.0)) == 0


def test_the_scale_of_a_scaler_keeps_them() -> None:
    scale = torch.amp.GradScaler("cpu").get_scale() or 65536.0
    assert torch.allclose(gradient(torch.float16, scale), torch.full((1, 4), 1e-9), rtol=0.05)


def test_bfloat16_needs_no_scaler() -> None:
    assert torch.allclose(gradient(torch.bfloat16, 1.0), torch.full((1, 4), 1e-9), rtol=0.05)


def test_the_defaults() -> None:
    assert torch.get_autocast_dtype("cuda") is torch.float16
    assert torch.get_autocast_dtype("cpu") is torch.bfloat16
