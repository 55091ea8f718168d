import torch
import torch.nn.functional as F
from torch import nn, optim


class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 10, 5)
        self.fc = nn.Linear(10 * 12 * 12, 10)

    def forward(self, x):
        x = F.relu(F.max_pool2d(self.conv(x), 2))
        x = x.flatten(1)
        return self.fc(x)


def train(loader):
    model = Digits()
    optimizer = optim.SGD(model.parameters(), lr=0.01)
    for data, target in loader:
        optimizer.zero_grad()
        output = model(data)
        loss = F.nll_loss(output, target)  # expect: TP212:16
        loss.backward()
        optimizer.step()
    torch.save(model.state_dict(), "digits.pt")
