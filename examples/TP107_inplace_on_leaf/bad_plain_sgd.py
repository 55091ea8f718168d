import torch
from torch import nn


class Regression(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, x):
        return self.layers(x)


def fit(model, batches, lr):
    criterion = nn.MSELoss()
    for x, y in batches:
        model.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        for p in model.parameters():
            p.sub_(lr * p.grad)  # expect: TP107:13


def fit_line(x, y):
    w = torch.zeros(1, requires_grad=True)
    b = torch.zeros(1, requires_grad=True)
    for _ in range(100):
        loss = (w * x + b - y).pow(2).mean()
        loss.backward()
        w -= 0.1 * w.grad  # expect: TP107:9
        b -= 0.1 * b.grad  # expect: TP107:9
        w.grad.zero_()
        b.grad.zero_()
    return w, b


fit(Regression(), [], 0.1)
