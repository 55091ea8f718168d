"""TP931: where one of model and input is in channels_last, each pass copies; where both are, none does."""
from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.profiler import profile

LAST = torch.channels_last


def copies(net: nn.Module, images: torch.Tensor) -> int:
    """Return how many tensors one forward pass copies into another format."""
    with torch.inference_mode(), profile() as recorded:
        net(images)
    return sum(event.count for event in recorded.key_averages() if event.key == "aten::copy_")


@pytest.mark.parametrize("net_last, images_last, expected", [(1, 0, 1), (0, 1, 2), (1, 1, 0)])
def test_copies_in_a_forward_pass(net_last: int, images_last: int, expected: int) -> None:
    net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.Conv2d(8, 8, 3)).eval()
    images = torch.randn(2, 3, 8, 8)
    if net_last:
        net = net.to(memory_format=LAST)
    if images_last:
        images = images.to(memory_format=LAST)
    assert copies(net, images) == expected
    assert net(images).is_contiguous(memory_format=LAST)
