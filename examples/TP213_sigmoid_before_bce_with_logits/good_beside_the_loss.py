import torch
import torch.nn.functional as F
from torch import nn


class Gated(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gate = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(torch.sigmoid(self.gate(x)) * self.value(x)).squeeze(1)


def train_epoch(model, loader, optimizer):
    model.train()
    right = 0
    for x, y in loader:
        logits = model(x)
        loss = F.binary_cross_entropy_with_logits(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        probabilities = torch.sigmoid(logits)
        right += ((probabilities > 0.5) == (y > 0.5)).sum().item()
    return right


def distill(student, teacher, x):
    with torch.no_grad():
        soft = torch.sigmoid(teacher(x))
    return F.binary_cross_entropy_with_logits(student(x), soft)


def main(loader):
    model = Gated(16)
    return train_epoch(model, loader, torch.optim.Adam(model.parameters()))
