"""Code for torch 0.3 carried on: a Variable of a tensor is a new leaf today."""
import torch
from torch import nn
from torch.autograd import Variable  # expect: TP011:1


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.lower = nn.GRU(8, 16, batch_first=True)
        self.upper = nn.GRU(16, 16, batch_first=True)
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        h, _ = self.lower(x)
        h = torch.from_numpy(h.detach().cpu().numpy())  # expect: TP109:13
        h, _ = self.upper(h)
        return self.head(h[:, -1])


def back(loss):
    loss.backward()


def train(model, batches):
    mse = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in batches:
        optimizer.zero_grad()
        loss = mse(model(x), y)
        back(Variable(loss.data, requires_grad=True))  # expect: TP109:23
        optimizer.step()


if __name__ == "__main__":
    train(Model(), [(torch.randn(2, 5, 8), torch.randn(2, 1)) for _ in range(3)])
