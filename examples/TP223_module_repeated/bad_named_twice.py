from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        norm = nn.BatchNorm2d(width)
        relu = nn.ReLU()
        self.body = nn.Sequential(
            nn.Conv2d(width, width, 3), norm, relu,
            nn.Conv2d(width, width, 3), norm, relu,  # expect: TP223:41
        )

    def forward(self, x):
        return self.body(x)
