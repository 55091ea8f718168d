"""TP109: which values are cut from their graph, and where a backward pass starts from them."""
from __future__ import annotations

import textwrap

import pytest
from support import check

HEAD = """\
import torch
import numpy as np
import torch.nn.functional as F
from torch import nn, optim
from torch.autograd import Variable
net = nn.Linear(3, 2)
sgd = optim.SGD(net.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
"""


def found(body: str) -> list[tuple[int, int]]:
    """Return line, counted without the head, and column of what is found in *body*."""
    return [(line - 8, column) for line, column, _ in check(HEAD + textwrap.dedent(body), ["TP109"])]


LOSSES = {
    "criterion(net(x), y)": None,
    "criterion(net(x), y).item()": 12,
    "criterion(net(x), y).detach()": 12,
    "criterion(net(x), y).data": 12,
    "torch.tensor(criterion(net(x), y))": 12,
    "torch.tensor([criterion(net(x), y)]).sum()": 12,
    "torch.FloatTensor([criterion(net(x), y)]).sum()": 12,
    "torch.as_tensor([criterion(net(x), y)]).sum()": 12,
    "torch.as_tensor(criterion(net(x), y))": None,
    "Variable(criterion(net(x), y))": 12,
    "float(criterion(net(x), y))": 12,
    "np.mean([criterion(net(x), y).item()])": 21,
    "criterion(net(x).data, y)": 22,
    "criterion(net(x).detach().clone(), y)": 22,
    "criterion(torch.softmax(net(x), 1).detach(), y)": 22,
    "F.mse_loss(net(x).argmax(1).float(), y.float())": 23,
    "F.mse_loss(net(x).max(1)[1].float(), y.float())": 23,
    "F.mse_loss(net(x).max(1)[0].float(), y.float())": None,
    "F.mse_loss(net(x), net(y).detach())": None,
    "F.mse_loss(net(x).detach(), net(y))": None,
    "F.mse_loss(net(x).detach(), other)": None,
    "1 - (net(x) > 0.5).float().mean()": 17,
    "sum(criterion(net(x), y).item() for _ in range(3))": 16,
    "sum(criterion(net(x), y) for _ in range(3))": None,
    "criterion(net(x), y) if x else criterion(net(x), y).detach()": None,
    "nn.Linear(2, 2)(net(x).detach()).sum()": None,
    "nn.ReLU()(net(x).detach()).sum()": 22,
    "other(net(x).detach())": None,
    "(x.detach() * other).sum()": None,
    "torch.zeros(1)": None,
}


@pytest.mark.parametrize("loss", LOSSES)
def test_losses(loss: str) -> None:
    column = LOSSES[loss]
    expected = [] if column is None else [(2, column)]
    assert found(f"def f(x, y, other):\n    loss = {loss}\n    loss.backward()\n    sgd.step()\n") == expected


@pytest.mark.parametrize("loss", [loss for loss in LOSSES if not loss.startswith(("float", "np", "sum"))])
def test_a_gradient_asked_for_afterwards(loss: str) -> None:
    column = LOSSES[loss]
    text = f"def f(x, y, other):\n    loss = {loss}\n    loss.requires_grad = True\n    loss.backward()\n    sgd.step()\n"
    assert found(text) == ([] if column is None else [(2, column)])


@pytest.mark.parametrize(
    "use", ["print(loss.grad)", "return loss", "optim.SGD([loss], lr=1)", "loss.retain_grad()", "self.loss = loss"]
)
def test_leaves_that_are_wanted(use: str) -> None:
    text = "def f(self, x):\n    loss = x.detach()\n    loss.requires_grad_()\n    loss.backward()\n    {}\n"
    assert found(text.format(use)) == []
    assert found(text.format("pass")) == [(2, 12)]


def test_helpers_in_another_file() -> None:
    files = {
        "a.py": """
            from lib.steps import Trainer, cross, go
            from torch import nn

            net = nn.Linear(2, 2)

            def run(x, y):
                loss = cross(net(x), y)
                go(loss.detach())
                go(loss)
                Trainer(net).step(x, y)
            """,
        "lib/__init__.py": "",
        "lib/steps.py": """
            import torch
            import torch.nn.functional as F

            def cross(out, y):
                return F.cross_entropy(out, y)

            def go(loss, scaler=None):
                loss.backward()

            class Trainer:
                def __init__(self, net):
                    self.net = net

                def step(self, x, y):
                    loss = cross(self.net(x), y).item()
                    loss.backward()
            """,
    }
    assert check(files, ["TP109"]) == [(9, 8, "TP109")]


def test_lightning() -> None:
    text = """
        import torch, lightning as L
        import torch.nn.functional as F
        class Lit(L.LightningModule):
            def __init__(self):
                super().__init__()
                self.net = torch.nn.Linear(2, 2)
            def training_step(self, batch, i):
                x, y = batch
                loss = F.cross_entropy(self.net(x), y)
                return {}
        """
    assert check(text.format("{'loss': loss, 'log': loss.item()}"), ["TP109"]) == []
    assert check(text.format("{'loss': loss.detach()}"), ["TP109"]) == [(11, 25, "TP109")]
    assert check(text.format("loss.item()"), ["TP109"]) == [(11, 16, "TP109")]


def test_modes_that_are_set_and_reset() -> None:
    text = """\
        torch.set_grad_enabled(False)
        print(net(torch.ones(3)))
        torch.set_grad_enabled({})
        loss = net(torch.ones(3)).sum()
        loss.backward()
        """
    assert found(text.format("True")) == []
    assert found(text.format("False")) == [(4, 8)]


@pytest.mark.parametrize(
    ("term", "column"),
    [
        ("net.weight.norm().item()", 41),
        ("0.1 * float(net.weight.norm())", 47),
        ("torch.tensor(net.weight.norm())", 41),
        ("net.weight.norm()", None),
        ("net.weight.norm().detach()", None),
        ("x.sum().item()", None),
    ],
)
def test_terms(term: str, column: int | None) -> None:
    text = f"def f(x, y):\n    loss = F.cross_entropy(net(x), y) + {term}\n    loss.backward()\n"
    assert found(text) == ([] if column is None else [(2, column)])


FORWARD = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)
        self.b = nn.Linear(2, 2)
    def forward(self, x):
        h = self.a(x)
        z = {}
        return {}
"""


@pytest.mark.parametrize(
    ("copy", "result", "columns"),
    [
        ("torch.tensor(h.detach().numpy())", "self.b(z)", [13]),
        ("torch.from_numpy(h.cpu().detach().numpy())", "self.b(z)", [13]),
        ("Variable(h)", "self.b(z)", [13]),
        ("h.detach()", "self.b(z)", []),
        ("torch.tensor(h.detach().numpy())", "self.b(z), h", []),
        ("torch.tensor(h.detach().numpy())", "self.b(z) + self.a(x)", []),
        ("torch.tensor(np.sort(h.detach().numpy()))", "self.b(z)", []),
        ("torch.tensor(x.detach().numpy())", "self.b(z)", []),
        ("torch.tensor(h.shape)", "self.b(h)", []),
    ],
)
def test_layers(copy: str, result: str, columns: list[int]) -> None:
    assert found(FORWARD.format(copy, result)) == [(8, column) for column in columns]
    assert found("for p in net.parameters(): p.requires_grad = False\n" + FORWARD.format(copy, result)) == []
