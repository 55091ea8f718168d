import torch
import torch.nn as nn


class Backbone(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Linear(10, width)
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(torch.relu(self.body(x)))


class Critic(Backbone):
    def __init__(self):
        super().__init__(64)
