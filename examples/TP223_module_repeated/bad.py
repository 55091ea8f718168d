import torch.nn as nn


class Stack(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width)] * depth)  # expect: TP223:37
        self.head = nn.Sequential(*[nn.Linear(width, width), nn.ReLU()] * 2)  # expect: TP223:36

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return self.head(x)


class Encoder(nn.Module):
    def __init__(self, width, heads, depth):
        super().__init__()
        layer = nn.TransformerEncoderLayer(width, heads)
        self.layers = nn.ModuleList([layer for _ in range(depth)])  # expect: TP223:37

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1)

    def forward(self, x):
        return x + self.conv(x)


def build(width, depth, tasks):
    block = Block(width)
    blocks = []
    for _ in range(depth):
        blocks.append(block)  # expect: TP223:9
    convs = [nn.Conv2d(3, width, 3)]
    convs += [Block(width)] * depth  # expect: TP223:14
    head = nn.Linear(width, 1)
    heads = nn.ModuleDict({task: head for task in tasks})  # expect: TP223:27
    return nn.Sequential(*convs), nn.Sequential(*blocks), heads
