"""Memory is handed back between phases."""
import torch
from torch import nn
from torch.utils.data import DataLoader


def train_epoch(model, loader: DataLoader, optimizer, criterion):
    model.train()
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images.cuda()), labels.cuda())
        loss.backward()
        optimizer.step()


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss()
    for _ in range(epochs):
        train_epoch(model, loader, optimizer, criterion)
        torch.cuda.empty_cache()


def compare(builders, loader):
    results = []
    for build in builders:
        model = build().cuda()
        train(model, loader, 3)
        del model
        torch.cuda.empty_cache()
        results.append(torch.cuda.get_device_name())
    return results
