"""TP607 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.deep = True
    def forward(self, x, n=None):
        h = self.linear(x)
"""
TRACE = "torch.jit.trace(Net(), x)"


def found(body: str, tail: str = TRACE, version: tuple[int, int] = (2, 13)) -> list[tuple[int, int]]:
    text = f"{HEAD}        {body}\n        return h\n{tail}\n"
    return [(line - 9, column - 8) for line, column, _ in check(text, ["TP607"], version)]


@pytest.mark.parametrize(
    "body, column",
    [
        ("if h.sum() > 0: h = -h", 1),
        ("if torch.isnan(h).any(): h = torch.zeros_like(h)", 1),
        ("if float(h.mean()) > 0: h = -h", 1),
        ("if h.mean().item() > 0: h = -h", 1),
        ("while h.norm() > 1: h = h / 2", 1),
        ("for _ in range(int(h.max())): h = h + 1", 1),
        ("h = h if h.mean() > 0 else -h", 5),
    ],
)
def test_lost(body: str, column: int) -> None:
    assert found(body) == [(1, column)]


@pytest.mark.parametrize(
    "body",
    [
        "if self.deep: h = -h",
        "if self.training: h = -h",
        "if n is not None: h = h + n",
        "if n is not None and n.any(): h = h + n",
        "if h.size(0) > 1: h = -h",
        "for _ in range(h.size(0)): h = h + 1",
        "for _ in range(3): h = h + 1",
        "assert (h > 0).all()",
        "if (h < 0).any(): raise ValueError",
        "if (h < 0).any(): print(h)",
        "h = torch.where(h > 0, h, -h)",
        "n = h.max().item()",
    ],
)
def test_kept_or_unknown(body: str) -> None:
    assert found(body) == []


@pytest.mark.parametrize(
    "tail, version, count",
    [
        ("torch.onnx.export(Net(), x, 'f', dynamo=False)", (2, 13), 1),
        ("torch.onnx.export(Net(), x, 'f')", (2, 8), 1),
        ("torch.onnx.export(Net(), x, 'f')", (2, 13), 0),
        ("torch.onnx.export(Net(), x, 'f', dynamo=True)", (2, 8), 0),
        ("torch.onnx.export(Net(), x, 'f', dynamo=new)", (2, 8), 0),
        ("torch.onnx.export(Net(), x, 'f', **options)", (2, 8), 0),
        ("torch.jit.trace_module(Net(), {'forward': x})", (2, 13), 1),
        ("torch.jit.trace(Net().forward, x)", (2, 13), 1),
        ("torch.jit.trace(torch.jit.script(Net()), x)", (2, 13), 0),
        ("torch.jit.script(Net())", (2, 13), 0),
        ("np.trace(Net())", (2, 13), 0),
        ("Net()(x)", (2, 13), 0),
    ],
)
def test_ways_to_trace(tail: str, version: tuple[int, int], count: int) -> None:
    assert len(found("if h.sum() > 0: h = -h", tail, version)) == count


def test_other_file() -> None:
    text = "import torch\nfrom net import Net\ntorch.jit.trace(Net(), x)\n"
    net = f"{HEAD}        if h.sum() > 0: h = -h\n        return h\n"
    assert check({"a.py": text, "net.py": net}, ["TP607"]) == [(3, 1, "TP607")]
