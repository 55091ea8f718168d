"""TP207 buffer-not-registered: a plain tensor stays behind when its module moves."""
from __future__ import annotations

import pytest
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self, registered: bool) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)
        if registered:
            self.register_buffer("scale", torch.ones(3))
        else:
            self.scale = torch.ones(3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x) @ self.scale


def test_a_plain_tensor_is_neither_moved_nor_saved() -> None:
    net = Scaled(False).to(torch.float64)
    assert net.scale.dtype == torch.float32
    assert "scale" not in net.state_dict()
    with pytest.raises(RuntimeError, match="dtype"):
        net(torch.ones(2, 3, dtype=torch.float64))
    assert net.to("meta").scale.device.type == "cpu"


def test_a_buffer_is() -> None:
    net = Scaled(True).to(torch.float64)
    assert "scale" in net.state_dict()
    assert net(torch.ones(2, 3, dtype=torch.float64)).shape == (2,)
    assert net.to("meta").scale.device.type == "meta"


def test_a_buffer_that_need_not_be_saved() -> None:
    net = nn.Module()
    net.register_buffer("scale", torch.ones(3), persistent=False)
    assert "scale" not in net.state_dict()
    assert net.to(torch.float64).scale.dtype == torch.float64


@pytest.mark.skipif(not torch.cuda.is_available(), reason="two devices need CUDA")
def test_on_two_devices_the_forward_raises() -> None:
    x = torch.ones(2, 3, device="cuda")
    with pytest.raises(RuntimeError, match="same device"):
        Scaled(False).cuda()(x)
    assert Scaled(True).cuda()(x).device.type == "cuda"
    assert (x * torch.tensor(0.5)).device.type == "cuda", "a tensor of no dimension is a number"
    assert x[:, torch.tensor([2, 0])].shape == (2, 2), "indices may stay on the CPU"
    with pytest.raises(RuntimeError, match="device"):
        torch.ones(3)[torch.tensor([0], device="cuda")]
