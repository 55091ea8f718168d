import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


def train(net: nn.Module, criterion, loader: DataLoader, optimizer: torch.optim.Optimizer) -> float:
    running = 0.0
    for x, y in loader:
        out = net(x)
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss.data[0]  # expect: TP311:20
        penalty = 0
        for weight in net.parameters():
            penalty += torch.sum(weight.pow(2))
        print(penalty[0])  # expect: TP311:15
    return running / len(loader)


def validate(net: nn.Module, loader: DataLoader) -> tuple[float, float]:
    net.eval()
    total, hits = 0.0, 0.0
    with torch.no_grad():
        for x, y in loader:
            out = net(x)
            total += F.cross_entropy(out, y, reduction="sum")[0]  # expect: TP311:22
            _, predicted = torch.max(out, 1)
            correct = (predicted == y).sum()
            hits += correct.data[0]  # expect: TP311:21
    return total, hits


def main() -> None:
    net = nn.Linear(8, 3)
    data = DataLoader([(torch.randn(8), 1)] * 4, batch_size=2, num_workers=2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss()
    net.train()
    print(train(net, criterion, data, optimizer), validate(net, data))
