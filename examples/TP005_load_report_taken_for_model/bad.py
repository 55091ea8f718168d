"""The report of the keys takes the place of the module."""
import torch
from torch import nn, optim


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)


def load(path):
    return Net().load_state_dict(torch.load(path))  # expect: TP005:12


def restore(path):
    checkpoint = torch.load(path)
    net = Net()
    net = net.load_state_dict(checkpoint["net"])  # expect: TP005:11
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    optimizer = optimizer.load_state_dict(checkpoint["optimizer"])  # expect: TP005:17
    return net, optimizer


class Predictor:
    def __init__(self, path) -> None:
        self.net = Net()
        self.net = self.net.load_state_dict(torch.load(path))  # expect: TP005:20

    def predict(self, x):
        return self.net(x)


def evaluate(model, path, x):
    trained = model.load_state_dict(torch.load(path, map_location="cpu"))  # expect: TP005:15
    trained.eval()
    return trained(x)


def chained(path, x):
    net = Net().cuda()  # expect: TP942:11
    return net.load_state_dict(torch.load(path)).eval()(x)  # expect: TP005:12


model = load("net.pt")
model.eval()
