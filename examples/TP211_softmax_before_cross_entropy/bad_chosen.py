import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, normalized=True):
        super().__init__()
        self.layer = nn.Linear(4, 3)
        if normalized:
            self.out = nn.Softmax(dim=1)  # expect: TP211:24
        else:
            self.out = nn.Identity()

    def forward(self, x):
        return self.out(self.layer(x))


loss = F.cross_entropy(Net()(torch.zeros(2, 4)), torch.zeros(2, dtype=torch.long))
other = F.cross_entropy(Net(normalized=False)(torch.zeros(2, 4)), torch.zeros(2, dtype=torch.long))
