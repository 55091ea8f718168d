"""TP945: a factory makes its tensor on the CPU unless it is told where, and the move makes a second one.

The `meta` device stands for the GPU.
"""
from __future__ import annotations

import torch
from torch.utils._python_dispatch import TorchDispatchMode


class Recorded(TorchDispatchMode):
    """Notes the device of every result."""

    def __init__(self) -> None:
        super().__init__()
        self.devices: list[str] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
        out = func(*args, **(kwargs or {}))
        self.devices.append(out.device.type)
        return out


def test_made_twice() -> None:
    with Recorded() as moved:
        torch.zeros(4).to("meta")
    with Recorded() as direct:
        torch.zeros(4, device="meta")
    assert "cpu" in moved.devices and "meta" in moved.devices
    assert set(direct.devices) == {"meta"}
