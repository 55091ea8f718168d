"""Context managers without their parentheses."""
import torch
from torch import nn


def predict(model, inputs):
    model.eval()
    with torch.no_grad:  # expect: TP122:5
        return model(inputs)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(16, 16)

    @torch.autocast  # expect: TP122:6
    def forward(self, x):
        return self.project(x)

    def encode(self, inputs, tracked=False):
        self.eval()
        with torch.enable_grad() if tracked else torch.no_grad:  # expect: TP122:9
            return self(inputs)
