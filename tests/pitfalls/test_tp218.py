"""TP218 optimizer-misses-parameters in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = """\
import copy
import torch
from torch import nn, optim
def train(model, optimizer, loader):
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
"""

BAD = {
    "an item of a Sequential": """
        def main(net: nn.Module, loader):
            optimizer = optim.SGD(net.parameters(), lr=0.1)
            net.classifier[6] = nn.Linear(4096, 10)  # expect: TP218:5
            train(net, optimizer, loader)
    """,
    "setattr and add_module": """
        def main(net: nn.Module, other: nn.Module, loader):
            optimizer, second = optim.Adam(net.parameters()), optim.Adam(other.parameters())
            setattr(net, "head", nn.Linear(2, 2))  # expect: TP218:5
            other.add_module("head", nn.Linear(2, 2))  # expect: TP218:5
            train(net, optimizer, loader)
            train(other, second, loader)
    """,
    "a new parameter": """
        def main(net: nn.Module, loader):
            optimizer = optim.SGD(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)
            net.scale = nn.Parameter(torch.ones(1))  # expect: TP218:5
            train(net, optimizer, loader)
    """,
    "moved afterwards": """
        def main(loader, device):
            net = nn.Linear(2, 2)
            optimizer = optim.Adagrad(net.parameters())
            net = net.to(device)  # expect: TP218:11
            train(net, optimizer, loader)
    """,
    "a model of its own class": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(2, 2)

            def forward(self, x):
                return self.fc(x)

        def main(loader, warm):
            net = Net()
            optimizer = optim.Adam(net.parameters())
            train(net, optimizer, warm)
            net = Net()  # expect: TP218:5
            train(net, optimizer, loader)
    """,
    "a loop over a generator": """
        def main(net: nn.Module):
            params = net.named_parameters()
            for name, param in params:
                print(name, param.shape)
            return optim.Adam(params)  # expect: TP218:12
    """,
}

GOOD = {
    "the old layer inside the new one": """
        def main(net: nn.Module, loader):
            optimizer = optim.SGD(net.parameters(), lr=0.1)
            net.head = nn.Sequential(*net.head.children(), nn.Softplus())
            train(net, optimizer, loader)
    """,
    "a layer of another module": """
        def main(net: nn.Module, teacher: nn.Module, loader):
            optimizer = optim.SGD(net.parameters(), lr=0.1)
            teacher.head = nn.Linear(2, 2)
            train(net, optimizer, loader)
    """,
    "a layer beside those that are trained": """
        def main(net: nn.Module, loader):
            optimizer = optim.SGD(net.body.parameters(), lr=0.1)
            net.head = nn.Linear(2, 2)
            train(net, optimizer, loader)
    """,
    "Adagrad on a model that is there": """
        def main(loader):
            net = nn.Linear(2, 2).cuda()
            optimizer = optim.Adagrad(net.parameters())
            net.cuda()
            train(net, optimizer, loader)
            net.cpu()
    """,
    "another optimizer, moved": """
        def main(loader):
            net = nn.Linear(2, 2)
            optimizer = optim.Adam(net.parameters())
            net.cuda()
            train(net, optimizer, loader)
    """,
    "the best weights at the end": """
        def main(net: nn.Module, loader):
            optimizer = optim.Adam(net.parameters())
            for _ in range(3):
                train(net, optimizer, loader)
            net = nn.Linear(2, 2)
            net.load_state_dict(torch.load("best.pt"), assign=True)
            return net
    """,
    "a wrapper of the project": """
        class Wrapper(nn.Module):
            def __init__(self, inner):
                super().__init__()
                self.inner = inner
                self.extra = nn.Linear(2, 2)

            def forward(self, x):
                return self.extra(self.inner(x))

        def main(loader):
            net = nn.Linear(2, 2)
            optimizer = optim.Adam(net.parameters())
            net = Wrapper(net)
            train(net, optimizer, loader)
    """,
    "copies that are no model": """
        def main(net: nn.Module, loader):
            optimizer = optim.Adam(net.parameters())
            best = copy.deepcopy(net)
            net.best = copy.deepcopy(net.head)
            train(net, optimizer, loader)
            return best
    """,
    "a parameter list": """
        def main():
            scales = nn.ParameterList([nn.Parameter(torch.rand(2, 2)) for _ in range(3)])
            return optim.Adam(scales), optim.SGD([*scales.parameters()], lr=0.1)
    """,
    "a module that yields its parameters": """
        class Scales(nn.Module):
            def __iter__(self):
                return self.parameters()

        optimizer = optim.Adam(Scales())
    """,
    "a list that is filled later": """
        def main(net: nn.Module):
            params = []
            for name, param in net.named_parameters():
                params.append(param)
            return optim.Adam(params)
    """,
    "a generator that is made twice": """
        def main(net: nn.Module):
            params = net.parameters()
            print(sum(p.numel() for p in params))
            params = net.parameters()
            return optim.Adam(params)
    """,
}


@pytest.mark.parametrize("body", BAD.values(), ids=BAD)
def test_reported(body: str) -> None:
    text = PRELUDE + textwrap.dedent(body)
    assert check(text) == marks(text)


@pytest.mark.parametrize("body", GOOD.values(), ids=GOOD)
def test_silent(body: str) -> None:
    assert check(PRELUDE + textwrap.dedent(body)) == []


def test_a_new_head_from_another_file() -> None:
    files = {
        "a.py": """
            from torch import nn, optim
            from pkg.heads import Classifier, exchange

            def main(loader):
                net = Classifier()
                optimizer = optim.Adam(net.parameters())
                exchange(net, 10)
                for x, y in loader:
                    optimizer.zero_grad()
                    nn.functional.cross_entropy(net(x), y).backward()
                    optimizer.step()
        """,
        "pkg/__init__.py": "",
        "pkg/heads.py": """
            from torch import nn

            class Classifier(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.body, self.head = nn.Linear(4, 4), nn.Linear(4, 2)

                def forward(self, x):
                    return self.head(self.body(x))

            def exchange(net, classes):
                net.head = nn.Linear(4, classes)
        """,
    }
    assert check(files) == [(8, 5, "TP218")]


def test_an_optimizer_that_a_base_class_makes_in_another_file() -> None:
    files = {
        "a.py": """
            from torch import nn, optim
            from base.model import Model

            class Net(Model):
                def __init__(self):
                    super().__init__()
                    self.out = nn.Linear(4, 1)
                    self.schedule = optim.lr_scheduler.StepLR(self.optimizer, 10)

                def forward(self, x):
                    return self.out(self.body(x))

            class Tuned(Net):
                def tune(self):
                    self.optimizer = optim.SGD(self.parameters(), lr=0.1)

            def main(loader):
                net = Net()
                for x, y in loader:
                    net.optimizer.zero_grad()
                    nn.functional.mse_loss(net(x), y).backward()
                    net.optimizer.step()
        """,
        "base/__init__.py": "",
        "base/model.py": """
            from torch import nn, optim

            class Model(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.body = nn.Linear(4, 4)
                    self.optimizer = optim.Adam(self.parameters())
        """,
    }
    assert check(files) == [(8, 9, "TP218")]
