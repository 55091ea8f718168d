"""TP941: cuDNN tries no algorithms unless asked to."""
from __future__ import annotations

import pytest
import torch


def test_off_by_default() -> None:
    assert torch.backends.cudnn.benchmark is False


@pytest.mark.skipif(not torch.cuda.is_available(), reason="PyTorch's documentation: cuDNN is used on CUDA only")
def test_the_result_is_the_same() -> None:
    net, images = torch.nn.Conv2d(3, 8, 3).cuda(), torch.randn(8, 3, 32, 32, device="cuda")
    plain = net(images)
    with torch.backends.cudnn.flags(benchmark=True):
        assert torch.allclose(net(images), plain, atol=1e-3)
