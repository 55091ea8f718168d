"""Each parameter once: parts with nothing in common, a filter, a set, a module that says what it gives."""
import itertools

import torch
from torch import nn, optim


class Net(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        return self.head(torch.relu(self.encoder(x)))


class Probe(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        return self.head(self.encoder(x).detach())

    def parameters(self, recurse=True):
        return self.head.parameters(recurse)


encoder = nn.Linear(4, 16)
net, other = Net(encoder), Net(nn.Linear(4, 16))
probe = Probe(encoder)
head = {id(p) for p in net.head.parameters()}
rest = [p for p in net.parameters() if id(p) not in head]

optimizer = optim.SGD([{"params": rest}, {"params": net.head.parameters(), "lr": 0.1}], lr=0.01)
parts = optim.SGD(list(net.encoder.parameters()) + list(net.head.parameters()), lr=0.1)
both = optim.SGD(itertools.chain(net.parameters(), other.parameters()), lr=0.1)
probing = optim.SGD([*net.parameters(), *probe.parameters()], lr=0.1)
once = optim.SGD(list(set(net.parameters()) | set(encoder.parameters())), lr=0.1)

towers = [nn.Linear(4, 16) for _ in range(2)]
left, right = towers
pair = optim.Adam(list(left.parameters()) + list(right.parameters()), lr=0.1)


def warm_up(model: nn.Module, loader):
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    model.head = nn.Linear(16, 10)
    optimizer.add_param_group({"params": model.head.parameters(), "lr": 0.01})
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
