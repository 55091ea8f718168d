import torch
from torch import nn


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value, n):
        self.total += value * n
        self.count += n

    def mean(self):
        return self.total / self.count


def validate(model, loader, criterion, device):
    model.eval()
    losses, correct = Meter(), 0
    for inputs, targets in loader:
        inputs, targets = inputs.to(device), targets.to(device)
        outputs = model(inputs)  # expect: TP202:19
        losses.update(criterion(outputs, targets).item(), inputs.size(0))
        correct += (outputs.argmax(1) == targets).sum().item()
    model.train()
    return losses.mean(), correct / losses.count


def main(loader):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(4, 2).to(device)
    print(validate(model, loader, nn.CrossEntropyLoss(), device))
