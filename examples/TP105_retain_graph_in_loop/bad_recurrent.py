"""A hidden state that is carried over updates; retaining the graph only moves the error."""
import torch
import torch.nn.functional as F
from torch import nn


class Forecaster(nn.Module):
    def __init__(self, size=16):
        super().__init__()
        self.rnn = nn.GRU(3, size, batch_first=True)
        self.head = nn.Linear(size, 1)
        self.state = torch.zeros(1, 8, size)

    def forward(self, x):
        out, self.state = self.rnn(x, self.state)
        return self.head(out[:, -1])


def train(model, windows):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for x, y in windows:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward(retain_graph=True)  # expect: TP105:9
        optimizer.step()


train(Forecaster(), [(torch.randn(8, 5, 3), torch.randn(8, 1)) for _ in range(4)])
