import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.rnn = nn.LSTM(width, 64, batch_first=True)
        self.fc = nn.Linear(64, classes)
        self.softmax = nn.Softmax(dim=1)  # expect: TP212:24
        self.criterion = nn.NLLLoss()

    def forward(self, sequence):
        states, _ = self.rnn(sequence)
        return self.softmax(self.fc(states[:, -1]))

    def fit(self, batches, lr=0.1):
        optimizer = torch.optim.SGD(self.parameters(), lr=lr)
        for sequence, label in batches:
            optimizer.zero_grad()
            loss = self.criterion(self(sequence), label)
            loss.backward()
            optimizer.step()
