import torch
from torch import nn


class Churn(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(features, 32), nn.ReLU(), nn.Dropout(0.3))
        self.out = nn.Linear(32, 1)

    def forward(self, x):
        return self.out(self.layers(x)).squeeze(1)


def fit(loader, features):
    model = Churn(features)
    criterion = nn.BCELoss()  # expect: TP214:17
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
