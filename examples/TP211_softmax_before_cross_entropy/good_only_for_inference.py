import torch
import torch.nn.functional as F
from torch import nn


class Classifier(nn.Module):
    def __init__(self, classes, as_probabilities=False):
        super().__init__()
        self.fc = nn.Linear(64, classes)
        self.as_probabilities = as_probabilities

    def forward(self, x, temperature=None):
        x = self.fc(x)
        if not self.training:
            x = F.softmax(x, dim=1)
        if self.as_probabilities or temperature is not None:
            x = torch.sigmoid(x / (temperature or 1.0))
        return x


def train(batches, name):
    model = Classifier(3)
    criterion = nn.CrossEntropyLoss()
    other = {"ce": nn.CrossEntropyLoss(), "mse": nn.MSELoss()}[name]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in batches:
        output = model(x)
        loss = criterion(output, y) + other(output.softmax(dim=1), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
