"""One shape for both sides."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class Regressor(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(features, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x):
        return self.layers(x)


def train(model, loader, criterion, optimizer):
    for inputs, prices in loader:
        predicted = model(inputs)
        loss = criterion(predicted, prices.unsqueeze(1)) + criterion(predicted.squeeze(1), prices)
        loss = loss + F.l1_loss(predicted.squeeze(), prices)  # expect: TP934:33
        loss = loss + F.l1_loss(predicted.view(-1), prices.view(-1))
        loss = loss + ((predicted - prices[:, None]) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main():
    inputs = torch.randn(256, 8)
    prices = inputs.sum(dim=1)
    model = Regressor(8)
    loader = DataLoader(TensorDataset(inputs, prices), batch_size=32, shuffle=True)
    train(model, loader, nn.MSELoss(), torch.optim.Adam(model.parameters()))


def expanded(model, inputs):
    targets = inputs.sum(dim=1, keepdim=True)
    return F.mse_loss(model(inputs), targets) + F.mse_loss(inputs.mean(1, keepdim=True).expand(-1, 4), inputs[:, :4])


if __name__ == "__main__":
    main()
