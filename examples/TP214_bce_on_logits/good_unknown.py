import torch
from torch import nn

from elsewhere import build_model


def fit(loader, with_logits):
    model = build_model("small")
    linear = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.BCELoss()
    either = nn.BCEWithLogitsLoss() if with_logits else nn.BCELoss()
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y) + either(linear(x), y)
        loss.backward()
        optimizer.step()
