import torch
from torch import nn


class ProbabilisticModel(nn.Module):
    def scores(self, x):
        raise NotImplementedError

    def forward(self, x):
        return torch.softmax(self.scores(x), dim=-1)
