from torch import nn


class Features(nn.Module):
    def __init__(self, requires_grad):
        super().__init__()
        self.requires_grad = requires_grad
        self.body = nn.Linear(8, 8)
        self.body.requires_grad_(requires_grad)

    def forward(self, x):
        return self.body(x)


features = Features(True)
features.requires_grad = False
