"""TP914: autocast casts by itself; a cast by hand adds nothing, or takes digits away."""
from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import functional as F


def test_the_cast_adds_nothing_before_a_layer() -> None:
    net, x = nn.Linear(4, 4), torch.rand(3, 4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert net(x).dtype == torch.bfloat16
        assert torch.equal(net(x), net(x.bfloat16()))


def test_the_cast_takes_digits_from_what_autocast_keeps_in_float32() -> None:
    x = torch.full((4,), 1.001)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        kept = F.mse_loss(x, torch.ones(4))
        lost = F.mse_loss(x.bfloat16(), torch.ones(4))
    assert kept.item() == pytest.approx(1e-6, rel=1e-3)
    assert lost.item() == 0


def test_half_weights_under_a_scaler_are_refused() -> None:
    net = nn.Linear(2, 1).half()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu")
    scaler.scale(net(torch.ones(1, 2).half()).float().sum()).backward()
    with pytest.raises(ValueError, match="Attempting to unscale FP16 gradients"):
        scaler.step(optimizer)
