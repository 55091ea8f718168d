import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)
        self.norm = nn.BatchNorm1d(width, 0.8)  # expect: TP224:43
        self.act = nn.LeakyReLU(True)  # expect: TP224:33

    def forward(self, x):
        x = self.act(self.norm(self.fc(x)))
        return F.dropout(x, self.training)  # expect: TP224:29
