import torch
import torch.utils.checkpoint as cp
from torch import nn
from torch.utils.checkpoint import checkpoint as remat
from torch.utils.checkpoint import checkpoint_sequential


class DenseLayer(nn.Module):
    def __init__(self, channels: int, growth: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, growth, 3, padding=1)

    def bottleneck(self, *inputs: torch.Tensor) -> torch.Tensor:
        return self.conv(torch.cat(inputs, 1))

    def forward(self, inputs: list[torch.Tensor]) -> torch.Tensor:
        return cp.checkpoint(self.bottleneck, *inputs, use_reentrant=False)

    def old_forward(self, x: torch.Tensor) -> torch.Tensor:
        return cp.checkpoint(self.bottleneck, x, preserve_rng_state=False)  # expect: TP609:16


def run(layers: nn.Sequential, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    x = checkpoint_sequential(layers, 4, x)  # expect: TP609:9
    x = remat(layers, x, use_reentrant=None)  # expect: TP609:9
    return torch.utils.checkpoint.checkpoint(  # expect: TP609:12
        masked,
        x,
        mask=mask,
    )


def masked(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return x * mask
