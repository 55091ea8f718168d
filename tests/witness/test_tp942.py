"""TP942: without an NVIDIA GPU the move raises."""
from __future__ import annotations

import pytest
import torch
from torch import nn


@pytest.mark.skipif(torch.cuda.is_available(), reason="needs a machine without CUDA")
@pytest.mark.parametrize("device", ["cuda", "cuda:0"])
def test_moving_raises(device: str) -> None:
    with pytest.raises((RuntimeError, AssertionError)):
        nn.Linear(8, 2).to(device)
    with pytest.raises((RuntimeError, AssertionError)):
        nn.Linear(8, 2).cuda()


def test_chosen_device() -> None:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    assert nn.Linear(8, 2).to(device).weight.device.type == device
