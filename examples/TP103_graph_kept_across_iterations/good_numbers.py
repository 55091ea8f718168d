"""What is kept is a number, or was taken out of the graph, or never had one."""
import torch
import torch.nn.functional as F
from torch import nn


def train(model: nn.Module, loader, optimizer):
    total, on_device, by_hand = 0.0, torch.zeros(()), []
    correct = 0
    for inputs, labels in loader:
        outputs = model(inputs)
        loss = F.cross_entropy(outputs, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        on_device += loss.detach() * inputs.size(0)
        by_hand.append(float(loss))
        by_hand.append(loss.detach().cpu().numpy())
        correct += (outputs.argmax(1) == labels).sum()
        print(f"loss {loss:.3f}")
    return total, on_device, by_hand, correct


def rebinds(model: nn.Module, loader, optimizer):
    losses = []
    for inputs, labels in loader:
        loss = F.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        loss = loss.item()
        losses.append(loss)
    return losses


@torch.no_grad()
def validate(model: nn.Module, loader):
    model.eval()
    total, outputs = 0.0, []
    for inputs, labels in loader:
        output = model(inputs)
        total += F.cross_entropy(output, labels)
        outputs.append(output)
    return total / len(loader), torch.cat(outputs)


def test(model: nn.Module, loader):
    model.eval()
    total = 0.0
    with torch.inference_mode():
        for inputs, labels in loader:
            total += F.cross_entropy(model(inputs), labels)
    print(total)


def accuracy(model: nn.Module, loader):
    model.eval()
    with torch.no_grad():
        return run(model, loader)


def run(model, loader):
    scores = []
    for inputs, labels in loader:
        outputs = model(inputs)
        scores.append(F.cross_entropy(outputs, labels))
    return sum(scores) / len(scores)


def keeps_the_last(model: nn.Module, loader, optimizer):
    logs = {}
    for inputs, labels in loader:
        loss = F.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        logs["loss"] = loss
    return logs


def summed_without_recording(model: nn.Module, loader, optimizer):
    total = 0.0
    for inputs, labels in loader:
        loss = F.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            total += loss
    return total


class Curve:
    """Its ``add`` is no list's: it makes a number of what it gets."""

    def __init__(self):
        self.points = []

    def add(self, value):
        self.points.append(float(value))

    def append(self, value):
        self.points.append(value.item() if torch.is_tensor(value) else value)


def drawn(model: nn.Module, loader, optimizer):
    curve = Curve()
    for inputs, labels in loader:
        loss = F.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        curve.add(loss)
        curve.append(loss)
    return curve
