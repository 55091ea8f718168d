"""Losses and counts written out: nothing warns."""
import torch

weight = torch.zeros(3, 1, requires_grad=True)
bias = torch.zeros(1, requires_grad=True)
inputs = torch.randn(100, 3)
targets = inputs @ torch.tensor([1.0, -2.0, 0.5])

for _ in range(200):
    predicted = inputs @ weight + bias
    loss = ((predicted - targets) ** 2).mean()  # expect: TP305:14
    loss.backward()
    with torch.no_grad():
        weight -= 0.1 * weight.grad
        bias -= 0.1 * bias.grad
        weight.grad = bias.grad = None

with torch.no_grad():
    error = targets - (inputs @ weight + bias)  # expect: TP305:13
    print(error.abs().mean(), torch.mean(torch.abs(predicted - targets)))  # expect: TP305:52


def accuracy(scores, labels):
    predictions = scores.argmax(dim=1, keepdim=True)
    correct = (predictions == labels.view(-1)).sum()  # expect: TP305:16
    hits = predictions.eq(labels.flatten()).sum()  # expect: TP305:12
    return correct, hits
