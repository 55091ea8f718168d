"""All backward passes before the step; a fresh forward pass; a layer that saves no weight; another module's step."""
import torch
from torch import nn


def train(net: nn.Module, loader, epochs):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    mse, l1 = nn.MSELoss(), nn.L1Loss()
    for _ in range(epochs):
        for x, y in loader:
            output = net(x)
            optimizer.zero_grad()
            mse(output, y).backward(retain_graph=True)
            l1(output, y).backward()
            optimizer.step()


def fit(x, y):
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(10):
        output = net(x)
        optimizer.zero_grad()
        nn.functional.mse_loss(output, y).backward()
        optimizer.step()


def regress(x, y):
    layer = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    output = layer(x)
    first, second = nn.functional.mse_loss(output, y), nn.functional.l1_loss(output, y)
    optimizer.zero_grad()
    first.backward(retain_graph=True)
    optimizer.step()
    second.backward()
    optimizer.step()


def two_networks(x, y):
    a, b = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1)), nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
    optimizer_a, optimizer_b = torch.optim.Adam(a.parameters()), torch.optim.Adam(b.parameters())
    loss_a, loss_b = nn.functional.mse_loss(a(x), y), nn.functional.mse_loss(b(x), y)
    optimizer_a.zero_grad()
    loss_a.backward()
    optimizer_a.step()
    optimizer_b.zero_grad()
    loss_b.backward()
    optimizer_b.step()


def cleared(x, y):
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net(x).mean().backward()
    optimizer.step()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
