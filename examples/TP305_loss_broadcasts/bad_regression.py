"""Fit prices: the network ends in one unit, the targets have no second dimension."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Regressor(nn.Module):
    def __init__(self, features, hidden=32):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(features, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.layers(x)


def train(model, loader, criterion, optimizer):
    for inputs, prices in loader:
        loss = criterion(model(inputs), prices)  # expect: TP305:16
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main():
    inputs = torch.randn(256, 8)
    prices = inputs.sum(dim=1)
    model = Regressor(8)
    loader = DataLoader(TensorDataset(inputs, prices), batch_size=32, shuffle=True)
    train(model, loader, nn.MSELoss(), torch.optim.Adam(model.parameters()))


if __name__ == "__main__":
    main()
