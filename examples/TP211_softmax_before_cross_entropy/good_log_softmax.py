import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(20, 4)
        self.softmax = nn.LogSoftmax(dim=1)

    def forward(self, x):
        return self.softmax(self.fc(x.view(-1, 20)))


def train(batches):
    net = Net()
    redundant, usual = nn.CrossEntropyLoss(), nn.NLLLoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in batches:
        output = net(x)
        mixed = F.cross_entropy(torch.log(output.exp() + 1e-9), y)
        loss = redundant(output, y) + usual(output, y) + mixed
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
