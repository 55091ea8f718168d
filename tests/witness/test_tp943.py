"""TP943: without autocast a convolution computes in float32, with it in bfloat16, and the weights stay as they are."""
from __future__ import annotations

import torch
from torch import nn


def test_types() -> None:
    net, images = nn.Conv2d(3, 8, 3), torch.randn(2, 3, 8, 8)
    assert net(images).dtype == torch.float32
    with torch.autocast("cpu", dtype=torch.bfloat16):
        output = net(images)
    assert output.dtype == torch.bfloat16 and output.element_size() == 2
    output.float().sum().backward()
    assert net.weight.dtype == torch.float32 and net.weight.grad.dtype == torch.float32
