"""A forward pass that is always cast, of a network that is trained."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 1)

    @torch.autocast("cuda")  # expect: TP121:6
    def forward(self, x):
        return self.layer(x)


def train(loader, use_amp=True):
    net = Net().cuda()  # expect: TP942:11
    optimizer = torch.optim.AdamW(net.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
