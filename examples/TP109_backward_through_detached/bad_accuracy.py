"""A loss made of predicted classes: nothing leads back to the scores."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, net: nn.Module, loader: DataLoader):
        self.net = net
        self.loader = loader
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def fit(self, epochs):
        for _ in range(epochs):
            for images, labels in self.loader:
                self.optimizer.zero_grad()
                scores = self.net(images)
                _, predicted = torch.max(scores, 1)  # expect: TP109:32
                loss = F.mse_loss(predicted.float(), labels.float())
                loss.requires_grad = True
                loss.backward()
                self.optimizer.step()

    def fit_errors(self):
        for images, labels in self.loader:
            self.optimizer.zero_grad()
            errors = (self.net(images) > 0).float()  # expect: TP109:23
            self.loss = torch.abs(errors - labels).mean()
            self.loss.backward()
            self.optimizer.step()


class DiceLoss(nn.Module):
    def forward(self, predicted, masks):
        scores = []
        for one, mask in zip(predicted, masks):
            scores.append(1 - 2 * (one * mask).sum() / (one + mask).sum())
        return torch.tensor(scores, requires_grad=True).mean()  # expect: TP109:16


def fit_rounded(net, optimizer, loader):
    head = nn.Linear(3, 1)
    for images, labels in loader:
        optimizer.zero_grad()
        rounded = torch.round(torch.sigmoid(head(net(images))))  # expect: TP109:19
        loss = F.binary_cross_entropy(rounded, labels)
        loss.backward()
        optimizer.step()
