import torch
import torch.nn.functional as F
from torch import nn


class DigitNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 32, 3)
        self.conv_drop = nn.Dropout2d(0.25)
        self.fc_drop = nn.Dropout(0.5)
        self.fc1 = nn.Linear(32 * 13 * 13, 128)
        self.fc2 = nn.Linear(128, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv(x)), 2)
        x = self.conv_drop(x)
        x = torch.flatten(x, 1)
        x = F.relu(self.fc1(x))
        x = self.fc_drop(x)
        return self.fc2(x)
