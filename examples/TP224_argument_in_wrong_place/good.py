import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)
        self.norm = nn.BatchNorm1d(width, momentum=0.8)
        self.act = nn.LeakyReLU(0.2, True)

    def forward(self, x):
        x = self.act(self.norm(self.fc(x)))
        return F.dropout(x, 0.5, self.training)
