"""On the CPU there is nothing to wait for; and evaluation is no step."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        self.head = nn.Linear(16, 2)

    def forward(self, x):
        return self.head(self.body(x))


def train(batches):
    net = Net()
    optimizer = torch.optim.AdamW(net.parameters())
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


@torch.inference_mode()
def evaluate(net, batches, device):
    net.to(device).eval()
    return sum((net(x.to(device)).argmax(1) == y.to(device)).sum().item() for x, y in batches)
