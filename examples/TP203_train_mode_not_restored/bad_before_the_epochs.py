import torch
import torch.nn.functional as F
from torchvision.models import resnet18


def validate(model, loader):
    model.eval()  # expect: TP203:5
    losses = []
    with torch.no_grad():
        for images, labels in loader:
            losses.append(F.cross_entropy(model(images), labels).item())
    return sum(losses) / len(losses)


def train_one_epoch(model, loader, optimizer):
    for images, labels in loader:
        loss = F.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main(train_loader, valid_loader):
    model = resnet18(num_classes=5)
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(10):
        train_one_epoch(model, train_loader, optimizer)
        validate(model, valid_loader)
