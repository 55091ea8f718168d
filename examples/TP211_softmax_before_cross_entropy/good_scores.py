import torch
import torch.nn.functional as F
from torch import nn


class AttentionPooling(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.query = nn.Linear(width, 1)
        self.out = nn.Linear(width, classes)

    def forward(self, x):
        weights = F.softmax(self.query(x), dim=1)
        return self.out((weights * x).sum(dim=1))


def train_epoch(model, loader, optimizer):
    model.train()
    confident = 0
    for x, y in loader:
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        probabilities = logits.detach().softmax(dim=1)
        confident += (probabilities.max(dim=1).values > 0.9).sum().item()
    return confident


def main(loader):
    model = AttentionPooling(32, 5)
    return train_epoch(model, loader, torch.optim.Adam(model.parameters()))
