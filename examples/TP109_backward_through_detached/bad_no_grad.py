"""The forward pass is not recorded, so there is nothing to go backward through."""
import torch
from torch import nn

net = nn.Linear(4, 2)
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
loss_fn = nn.MSELoss()


def step(x, target):
    with torch.no_grad():
        out = net(x)  # expect: TP109:15
    loss = loss_fn(out, target)
    sgd.zero_grad()
    loss.backward()
    sgd.step()


@torch.inference_mode()
def step_fast(x, target):
    loss = loss_fn(net(x), target)  # expect: TP109:20
    sgd.zero_grad()
    loss.backward()
    sgd.step()
