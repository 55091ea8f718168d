import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(8, 16)

    def forward(self, steps):
        state = torch.zeros(steps.shape[1], 16).to(steps.device)  # expect: TP945:17
        for step in steps:
            state = self.cell(step, state)
        return state
