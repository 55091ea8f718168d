"""An XLA device gives the module new parameters."""
import torch
import torch_xla.core.xla_model as xm
from torch import nn


def main(loader):
    device = xm.xla_device()
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model = model.to(device)  # expect: TP709:13
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x.to(device)), y.to(device)).backward()
        xm.optimizer_step(optimizer)
        optimizer.step()
