import torch
import torch.nn as nn


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1)

    def forward(self, x):
        return torch.relu(x + self.conv(x))


def conv_block(x, out_channels):
    conv = nn.Conv2d(x.shape[1], out_channels, 3, padding=1)  # expect: TP219:12
    return torch.relu(conv(x))


class UNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.head = nn.Conv2d(2 * width, 1, 1)

    def refine(self, x):
        self.block = Residual(self.width)  # expect: TP219:22
        return self.block(x)

    def forward(self, x):
        x = conv_block(x, self.width)
        x = self.refine(x)
        x = nn.Dropout(0.3)(x)  # expect: TP219:13
        layers = nn.Sequential(  # expect: TP219:18
            nn.Conv2d(self.width, 2 * self.width, 3, padding=1),
            nn.ReLU(),
        )
        return self.head(layers(x))
