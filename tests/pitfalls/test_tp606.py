"""TP606 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

MODULE = """\
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self, start=0):
        super().__init__()
        self.count = {value}
        self.kept = []
    def forward(self, x):
        {change}
        return x
    def other(self):
        {other}
net = torch.compile(Net())
"""


def changed(change: str, value: str = "0", other: str = "pass") -> list[tuple[int, int]]:
    text = MODULE.format(change=change, value=value, other=other)
    return [(line, column) for line, column, _ in check(text, ["TP606"])]


@pytest.mark.parametrize("change", ["self.count += 1", "self.count -= 2", "self.kept.append(x)"])
def test_attributes_that_change(change: str) -> None:
    assert changed(change) == [(9, 9)]


@pytest.mark.parametrize(
    "change, value, other",
    [
        ("self.count += 1", "0.0", "pass"),
        ("self.count += 1", "torch.zeros(())", "pass"),
        ("self.count += 1", "start", "pass"),
        ("self.count += 0.5", "0", "pass"),
        ("if x is None: self.count += 1", "0", "pass"),
        ("self.kept.append(x)", "0", "self.kept.clear()"),
        ("self.kept.append(x)", "0", "self.kept = []"),
        ("self.kept.append(x)", "0", "del self.kept[0]"),
        ("pass", "0", "self.count += 1"),
        ("count = 0; count += 1", "0", "pass"),
    ],
)
def test_attributes_that_may_change(change: str, value: str, other: str) -> None:
    assert changed(change, value, other) == []


CALLS = """\
import torch
@torch.compile{options}
def f(x, a=0, b=0):
    for _ in range(a): x = x + 1
    return x * len(b)
for number in {iterable}:
    f({arguments})
"""


def called(arguments: str, iterable: str = "range(100)", options: str = "") -> list[tuple[int, int]]:
    text = CALLS.format(arguments=arguments, iterable=iterable, options=options)
    return [(line, column) for line, column, _ in check(text, ["TP606"])]


@pytest.mark.parametrize(
    "arguments, options",
    [
        ("x, number", ""),
        ("x, a=number + 1", ""),
        ("x, b=f'{number}'", ""),
        ("torch.ones(number)", "(dynamic=False)"),
        ("x[:number]", "(dynamic=False)"),
    ],
)
def test_arguments_that_change(arguments: str, options: str) -> None:
    assert called(arguments, options=options) == [(7, 5)]


@pytest.mark.parametrize(
    "arguments, iterable, options",
    [
        ("x, number", "range(8)", ""),
        ("x, number", "(1, 2)", ""),
        ("x, number", "unknown", ""),
        ("x, 3", "range(100)", ""),
        ("x, b=number", "range(100)", ""),
        ("x, b=f'{x}'", "range(100)", ""),
        ("torch.ones(number)", "range(100)", ""),
        ("torch.ones(3) * number", "range(100)", "(dynamic=False)"),
        ("*x, number", "range(100)", ""),
    ],
)
def test_arguments_that_stay_or_cost_two(arguments: str, iterable: str, options: str) -> None:
    assert called(arguments, iterable, options) == []


def test_set_from_outside() -> None:
    text = """
        import torch
        from net import Net
        net = Net()
        fast = torch.compile(net)
        for step, x in enumerate(batches):
            net.step = step
            net.unread = step
            net.rate = step * 0.1
            fast(x)
    """
    net = """
        from torch import nn
        class Net(nn.Module):
            def forward(self, x):
                return x * self.step * self.rate
    """
    assert check({"a.py": text, "net.py": net}, ["TP606"]) == [(7, 5, "TP606")]
