"""Half precision throughout, with no autocast around it."""
import torch
from torch import nn


def serve(net: nn.Module, x: torch.Tensor) -> torch.Tensor:
    net = net.half().eval()
    with torch.inference_mode():
        return net(x.half())


def compare(net: nn.Module, x: torch.Tensor) -> torch.Tensor:
    with torch.autocast("cuda"):
        return net(x)
