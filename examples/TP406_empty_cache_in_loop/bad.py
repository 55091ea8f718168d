"""The training loop of a classifier."""
import torch
from torch import nn
from torch.utils.data import DataLoader


def train(model, loader: DataLoader, device):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss()
    model.train()
    for images, labels in loader:
        images, labels = images.to(device), labels.to(device)
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
        torch.cuda.empty_cache()  # expect: TP406:9
