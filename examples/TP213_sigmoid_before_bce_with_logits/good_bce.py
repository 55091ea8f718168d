import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1), nn.Sigmoid())
criterion = nn.BCELoss()


def step(x, y, optimizer):
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()


def step_on_inverse(x, y, optimizer):
    probabilities = model(x)
    scores = torch.logit(probabilities, eps=1e-6)
    loss = nn.BCEWithLogitsLoss()(scores, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
