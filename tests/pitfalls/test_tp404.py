"""TP404 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import time
import torch
from torch import nn
"""
BODY = """\
def f(model: nn.Module, x, device, log):
    model = model.to(device)
    x = x.to(device)
    begin = time.perf_counter()
    {}
    return time.perf_counter() - begin
"""


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 3, column) for line, column, _ in check(HEAD + text, ["TP404"])]


@pytest.mark.parametrize(
    "work",
    [
        "model(x)",
        "y = model(x[0])",
        "y = model(x.unsqueeze(0)).detach()",
        "y = [model(x) for _ in range(10)]",
        "model(x); print('done')",
        "model(x); print(x.shape)",
        "model(x).sum().backward()",
    ],
)
def test_nothing_waits(work: str) -> None:
    assert found(BODY.format(work)) == [(6, 12)]


@pytest.mark.parametrize(
    "work",
    [
        "pass",
        "model(x).item()",
        "y = model(x).to('cpu')",
        "print(model(x))",
        "y = float(model(x).sum())",
        "y = model(x); log(y)",
        "y = model(x); log.wait()",
        "y = model(x); torch.save(y, 'y.pt')",
        "y = model(x).nonzero()",
        "y = model(x); f'{y}'",
        "y = model(x); assert y.sum() > 0",
        "torch.cuda.synchronize(); model(x); torch.accelerator.synchronize()",
    ],
)
def test_something_waits_or_may(work: str) -> None:
    assert found(BODY.format(work)) == []


def test_backward_alone() -> None:
    text = """
def f():
    w = torch.randn(3, device="cuda", requires_grad=True)
    loss = (w * w).sum()
    begin = time.time()
    loss.backward()
    return time.time() - begin
"""
    assert found(text) == [(7, 12)]


def test_on_the_cpu() -> None:
    assert found(BODY.format("model(x)").replace("device)", "'cpu')")) == []


def test_a_helper_of_another_file_waits() -> None:
    text = HEAD + "from sync import settle\n" + BODY.format("model(x); settle()")
    assert check({"a.py": text, "sync.py": "import torch\ndef settle():\n    torch.cuda.synchronize()\n"}, ["TP404"]) == []


def test_the_forward_waits() -> None:
    text = """
class Net(nn.Module):
    def forward(self, x):
        return x if x.sum().item() > 0 else -x
def f(x):
    net = Net().cuda()
    x = x.cuda()
    begin = time.time()
    net(x)
    return time.time() - begin
"""
    assert found(text) == []


def test_a_clock_that_is_started_elsewhere() -> None:
    text = """
class Timer:
    def start(self):
        self.begin = time.time()
    def stop(self, x: torch.Tensor):
        y = x.cuda() + 1
        return time.time() - self.begin
"""
    assert found(text) == []


def test_a_branch_for_the_cpu() -> None:
    text = """
def f(model: nn.Module, x, device):
    model.to(device)
    if device.type == "cpu":
        begin = time.time()
        model(x.to(device))
        return time.time() - begin
"""
    assert found(text) == []
