"""The call stands alone, or its report is read as one."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)

    def load_part(self, state):
        return self.load_state_dict(state, strict=False)


class Chained(nn.Linear):
    def load_state_dict(self, *args, **kwargs):
        super().load_state_dict(*args, **kwargs)
        return self


def load(path):
    net = Net()
    net.load_state_dict(torch.load(path))
    net.eval()
    return net


def load_loosely(path):
    net = Net()
    missing, unexpected = net.load_state_dict(torch.load(path), strict=False)
    report = net.load_state_dict(torch.load(path), strict=False)
    print(missing, unexpected, report.missing_keys, list(report))
    if (keys := net.load_part(torch.load(path))).unexpected_keys:
        raise RuntimeError(keys)
    return net


class Wrapper:
    def __init__(self, net: Net) -> None:
        self.net = net

    def load_state_dict(self, state):
        return self.net.load_state_dict(state)


linear = Chained(4, 2)
linear = linear.load_state_dict(torch.load("linear.pt"))
linear.eval()
