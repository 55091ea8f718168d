import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(784, 128)
        self.dropout = nn.Dropout(0.5)
        self.out = nn.Linear(128, 10)

    def forward(self, x):
        return self.out(self.dropout(F.relu(self.hidden(x.flatten(1)))))


class Trainer:
    def __init__(self, train_loader, valid_loader):
        self.model = Net()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.train_loader = train_loader
        self.valid_loader = valid_loader

    def fit(self, epochs):
        self.model.train()
        for epoch in range(epochs):
            self.run_epoch()
            print(epoch, self.accuracy())

    def run_epoch(self):
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            F.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()

    @torch.no_grad()
    def accuracy(self):
        self.model.eval()  # expect: TP203:9
        right = sum((self.model(x).argmax(1) == y).sum().item() for x, y in self.valid_loader)
        return right / len(self.valid_loader.dataset)
