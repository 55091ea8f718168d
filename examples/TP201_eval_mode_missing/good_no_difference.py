"""Nothing in this network behaves differently in train mode."""
import torch
from torch import nn


class Mlp(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        layers = []
        for fan_in, fan_out in zip(sizes, sizes[1:]):
            layers += [nn.Linear(fan_in, fan_out), nn.LayerNorm(fan_out), nn.GELU()]
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return self.net(x)


def fit(model, x, y, x_test, y_test):
    optimizer = torch.optim.Adam(model.parameters())
    loss_of = nn.MSELoss()
    for _ in range(100):
        model.train()
        optimizer.zero_grad()
        loss = loss_of(model(x), y)
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            print(loss_of(model(x_test), y_test).item())


fit(Mlp([4, 16, 1]), torch.randn(8, 4), torch.randn(8, 1), torch.randn(8, 4), torch.randn(8, 1))
