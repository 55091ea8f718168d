"""Results that autograd may meet again."""
import torch
from torch import nn


class Cached:
    def __init__(self, encoder: nn.Module):
        self.encoder = encoder.eval()

    @torch.no_grad()
    def encode(self, x: torch.Tensor) -> torch.Tensor:
        return self.encoder(x)

    def remember(self, x: torch.Tensor) -> None:
        with torch.no_grad():
            self.features = self.encoder(x)
