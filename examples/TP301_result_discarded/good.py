"""Results that are kept, operations in place, and statements that only try, time or show."""
import time

import pandas as pd
import torch
import torch.nn.functional as F
from torch import nn

x = torch.rand(3, 4, requires_grad=True)
y = x * 2
y.view(4, 3)

y.retain_grad()
y.register_hook(lambda grad: grad * 2)
y.sum().backward()


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.act = nn.ReLU(inplace=True)
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.fc(x)
        self.act(x)
        self.norm(x)
        return x


@torch.no_grad()
def squash(x: torch.Tensor) -> torch.Tensor:
    F.relu(x, inplace=True)
    F.elu_(x)
    x.clamp_(0, 1).mul_(2)
    torch.add(x, 1, out=x)
    return x


class Table:
    def __init__(self, rows):
        self.frame = pd.DataFrame(rows)

    def view(self, width):
        self.width = width

    def show(self):
        self.view(80)
        self.frame.squeeze()
        return self


def is_positive_definite(matrix: torch.Tensor) -> bool:
    try:
        torch.linalg.cholesky(matrix)
        return True
    except RuntimeError:
        return False


def measure(a: torch.Tensor) -> float:
    a.matmul(a)
    start = time.perf_counter()
    for _ in range(100):
        a.matmul(a)
        torch.matmul(a, a)
    return time.perf_counter() - start


def workload():
    torch.sigmoid(torch.ones(3))


def test_views_of_any_shape():
    t = torch.rand(6)
    t.view(2, 3)
    t.view(3, 2)
    assert t.sum() > 0


def unknown(thing, other):
    thing.detach()
    other.view(3)
    torch.manual_seed(0)  # expect: TP903:5
    return thing, other


def stream(t: torch.Tensor) -> torch.Tensor:
    t.record_stream(torch.cuda.current_stream())
    t.share_memory_().requires_grad_()
    _ = t.sum()
    return t.detach()
