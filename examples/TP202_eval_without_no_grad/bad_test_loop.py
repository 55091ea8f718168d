"""Neither layer minds the mode, so nobody calls eval(); the graph is recorded all the same."""
import torch
import torch.nn.functional as F
from torch import nn


def train(net, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimizer.step()


def test(net, loader):
    loss, hits = 0.0, 0
    for x, y in loader:
        logits = net(x)  # expect: TP202:18
        loss += F.cross_entropy(logits, y, reduction="sum").item()
        hits += int((logits.argmax(1) == y).sum())
    print(f"loss {loss:.3f}, {hits} right")


def main(train_loader, test_loader):
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 64), nn.ReLU(), nn.Linear(64, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(2):
        train(net, train_loader, optimizer)
        test(net, test_loader)
