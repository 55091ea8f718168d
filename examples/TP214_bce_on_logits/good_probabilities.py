import torch
import torch.nn.functional as F
from torch import nn


class Critic(nn.Module):
    def __init__(self, with_sigmoid):
        super().__init__()
        layers = [nn.Linear(8, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1)]
        if with_sigmoid:
            layers.append(nn.Sigmoid())
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc(x).softmax(dim=1)


def fit(loader, options):
    critic, classifier, linear = Critic(options.with_sigmoid), Classifier(), nn.Linear(8, 1)
    generator = nn.Sequential(nn.Linear(8, 1), nn.Tanh())
    optimizer = torch.optim.Adam(critic.parameters())
    criterion = nn.BCELoss()
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(critic(x), y) + criterion(classifier(x)[:, 1:], y)
        loss = loss + criterion(torch.sigmoid(linear(x)), y) + criterion(linear(x).clamp(0, 1), y)
        loss = loss + F.binary_cross_entropy((generator(x) + 1) / 2, y)
        loss.backward()
        optimizer.step()
