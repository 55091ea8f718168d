"""Two losses of one forward pass, with a step after each."""
import torch
from torch import nn


def train(net: nn.Module, loader, epochs):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    mse, l1 = nn.MSELoss(), nn.L1Loss()
    for _ in range(epochs):
        for x, y in loader:
            output = net(x)
            first, second = mse(output, y), l1(output, y)
            optimizer.zero_grad()
            first.backward(retain_graph=True)
            optimizer.step()
            optimizer.zero_grad()
            second.backward()  # expect: TP125:13
            optimizer.step()


def fit(x, y):
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.Adam(net.parameters())
    output = net(x)
    for _ in range(10):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(output, y)
        loss.backward(retain_graph=True)  # expect: TP125:9
        optimizer.step()
