from torch import nn


class Stack(nn.Module):
    def __init__(self, depth):
        super().__init__()
        last = nn.Linear(8, 1)
        layers = []
        for number in range(depth):
            if number == depth - 1:
                layers.append(last)
            else:
                layers.append(nn.Linear(8, 8))
        self.layers = nn.Sequential(*layers)
        plain = nn.LayerNorm(8, elementwise_affine=False)
        self.norms = nn.ModuleList([plain, plain])

    def forward(self, x):
        return self.layers(x)
