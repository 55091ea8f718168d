"""TP941 beyond its examples."""
from __future__ import annotations

import pytest
from support import codes

NET = """\
import torch
import torchvision
from torch import nn
from torchvision import transforms
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = LAYER
    def forward(self, x):
        return self.a(x)
def train(batches, device):
    net = Net().MOVE
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in batches:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x.to(device)), y.to(device))
        loss.backward()
        optimizer.step()
"""


def program(layer: str = "nn.Conv2d(3, 4, 3)", move: str = "to(device)", more: str = "") -> str:
    return NET.replace("LAYER", layer).replace("MOVE", move) + more


@pytest.mark.parametrize(
    "more, expected",
    [
        ("torchvision.datasets.MNIST('cuda')", ["TP941"]),
        ("transforms.Resize((32, 32)), 'cuda'", ["TP941"]),
        ("transforms.Resize(32), 'cuda'", []),
        ("transforms.CenterCrop(32), 'cuda'", ["TP941"]),
        ("transforms.CenterCrop(32)", []),
        ("transforms.CenterCrop(32), torch.cuda\ntorch.backends.cudnn.benchmark = flag", []),
        ("transforms.CenterCrop(32), torch.cuda\ntorch.backends.cudnn.deterministic = True", []),
        ("transforms.CenterCrop(32), torch.cuda\ntorch.use_deterministic_algorithms(True)", []),
    ],
)
def test_sizes_and_settings(more: str, expected: list[str]) -> None:
    assert codes(program(more=more), ["TP941"]) == expected


def test_no_convolution() -> None:
    assert codes(program(layer="nn.Linear(3, 4)", more="transforms.CenterCrop(32), 'cuda'"), ["TP941"]) == []
