import torch
import torch.nn.functional as F
from torch import nn


class BoxLoss(nn.Module):
    def __init__(self, weight: float) -> None:
        super().__init__()
        self.weight = weight

    def forward(self, out: torch.Tensor, target: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        location = F.smooth_l1_loss(out[:, :4], target[:, :4])
        score = F.binary_cross_entropy_with_logits(out[:, 4], target[:, 4])
        location /= len(target)
        return location, score
