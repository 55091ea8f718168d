"""Attributes that torch does not read: nothing is frozen, no rate changes."""
import torch
import torchvision
from torch import nn

backbone = torchvision.models.resnet18(weights="DEFAULT")
backbone.requires_grad = False  # expect: TP215:1
backbone.fc = nn.Linear(512, 2)

for layer in list(backbone.children())[:-2]:
    layer.requires_grad = False  # expect: TP215:5

for name, parameter in backbone.named_parameters():
    if not name.startswith("fc"):
        parameter.require_grad = False  # expect: TP215:9
    else:
        parameter.requires_grad_ = True  # expect: TP215:9

optimizer = torch.optim.SGD(backbone.fc.parameters(), lr=0.1)
for epoch in range(10):
    optimizer.lr = 0.1 * 0.5**epoch  # expect: TP215:5

offset = torch.zeros(3)
offset.require_grad = True  # expect: TP215:1


class Adapter(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(width, width), nn.ReLU())
        self.head = nn.Linear(width, 2)
        self.encoder.requires_grad = False  # expect: TP215:9

    def freeze_norms(self) -> None:
        for module in self.modules():
            if isinstance(module, nn.LayerNorm):
                module.requires_grad = False  # expect: TP215:17

    def forward(self, x):
        return self.head(self.encoder(x))


class Tuner:
    def __init__(self, model: nn.Module) -> None:
        self.model = model

    def freeze(self) -> None:
        self.model.requires_grad = False  # expect: TP215:9
