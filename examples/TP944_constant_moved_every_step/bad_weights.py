import torch
from torch import nn


def train(net, loader, optimizer):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device)
    weights = torch.tensor([0.2, 0.8])
    for x, y in loader:
        optimizer.zero_grad()
        criterion = nn.CrossEntropyLoss(weight=weights.to(device))  # expect: TP944:48
        loss = criterion(net(x.to(device)), y.to(device))
        loss.backward()
        optimizer.step()
