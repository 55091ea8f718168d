"""The batches stay on the CPU, or are made on the device."""
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


def train(features, labels):
    net = Net()
    optimizer = torch.optim.AdamW(net.parameters())
    for x, y in DataLoader(TensorDataset(features, labels), batch_size=64, shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()


def train_on_gpu(rows, device):
    net = Net().to(device)
    optimizer = torch.optim.AdamW(net.parameters())

    def to_gpu(examples):
        return torch.tensor(examples, device=device)

    for batch in DataLoader(rows, batch_size=64, shuffle=True, num_workers=0, collate_fn=to_gpu):
        optimizer.zero_grad()
        net(batch.to("cuda")).logsumexp(1).mean().backward()
        optimizer.step()
