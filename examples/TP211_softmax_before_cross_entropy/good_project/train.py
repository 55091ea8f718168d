import torch
from .losses import BalancedLoss
from .classifier import TextClassifier


def train(batches):
    model = TextClassifier(20_000, 4)
    criterion = BalancedLoss([1.0, 2.0, 2.0, 1.0])
    optimizer = torch.optim.Adam(model.parameters())
    for tokens, labels in batches:
        loss = criterion(model(tokens), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
