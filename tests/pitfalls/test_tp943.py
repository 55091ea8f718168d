"""TP943 beyond its examples."""
from __future__ import annotations

import pytest
from support import check, codes

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
    "layer, move, more, expected",
    [
        ("nn.Conv2d(3, 4, 3)", "to(device)", "'cuda'", ["TP943"]),
        ("nn.LSTM(3, 4)", "cuda()", "", ["TP943"]),
        ("nn.MultiheadAttention(4, 2)", "to('cuda')", "", ["TP943"]),
        ("nn.Linear(3, 4)", "cuda()", "", []),
        ("unknown(3, 4)", "cuda()", "", []),
        ("nn.Conv2d(3, 4, 3)", "to(device)", "", []),
        ("nn.Conv2d(3, 4, 3)", "half().cuda()", "", []),
        ("nn.Conv2d(3, 4, 3)", "cuda()", "torch.set_float32_matmul_precision('high')", []),
        ("nn.Conv2d(3, 4, 3)", "cuda()", "torch.autocast('cuda')", []),
    ],
)
def test_programs(layer: str, move: str, more: str, expected: list[str]) -> None:
    assert codes(program(layer, move, more), ["TP943"]) == expected


def test_place() -> None:
    assert check(program(move="cuda()"), ["TP943"]) == [(14, 5, "TP943")]


def test_a_program_of_several_files() -> None:
    main = """\
        import torch
        from pkg.model import Net
        def main(batches):
            device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
            net = Net().to(device)
            run(net, torch.optim.SGD(net.parameters(), lr=0.1), batches, device)
        def run(net, optimizer, batches, device):
            for x, y in batches:
                optimizer.zero_grad()
                loss = torch.nn.functional.cross_entropy(net(x.to(device)), y.to(device))
                loss.backward()
                optimizer.step()
    """
    model = """\
        from torch import nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.first = nn.Conv2d(3, 4, 3)
            def forward(self, x):
                return self.first(x)
    """
    files = {"a.py": main, "pkg/__init__.py": "", "pkg/model.py": model}
    assert check(files, ["TP94"]) == [(8, 5, "TP943")]
