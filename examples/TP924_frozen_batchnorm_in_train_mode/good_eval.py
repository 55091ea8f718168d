"""The frozen part is in eval mode."""
import torch
from torch import nn
from torchvision import models


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = models.resnet18(weights="DEFAULT")
        self.backbone.requires_grad_(False)
        self.head = nn.Linear(1000, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.backbone(x))


def train(model: Model, optimizer: torch.optim.Optimizer, loader):
    model.train()
    model.backbone.eval()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
