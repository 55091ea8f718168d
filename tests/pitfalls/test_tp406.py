"""TP406 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

LOOP = """\
import torch
from torch import nn
from torch.utils.data import DataLoader
def f(net: nn.Module, loader: DataLoader, flag, epochs):
    {}
        loss = net(batch).sum()
        loss.backward()
        {}
"""


def found(loop: str, last: str) -> list[tuple[int, int, str]]:
    return check(LOOP.format(loop, last), ["TP406"])


@pytest.mark.parametrize("loop", ["for batch in loader:", "for i, batch in enumerate(loader):", "while (batch := flag()):"])
@pytest.mark.parametrize("name", ["cuda", "mps", "xpu"])
def test_each_batch(loop: str, name: str) -> None:
    assert found(loop, f"torch.{name}.empty_cache()") == [(8, 9, "TP406")]


@pytest.mark.parametrize(
    "last",
    [
        "if flag: torch.cuda.empty_cache()",
        "if torch.cuda.is_available() and flag: torch.cuda.empty_cache()",
        "for _ in range(2): torch.cuda.empty_cache()",
        "flag.empty_cache()",
        "torch.cuda.empty_cache",
    ],
)
def test_now_and_then_or_something_else(last: str) -> None:
    assert found("for batch in loader:", last) == []


def test_under_a_test_for_the_device() -> None:
    last = "if torch.cuda.is_available(): torch.cuda.empty_cache()"
    assert found("for batch in loader:", last) == [(8, 39, "TP406")]


def test_before_it_gives_up() -> None:
    assert found("for batch in loader:", "if loss != loss:\n            torch.cuda.empty_cache()\n            break") == []


def test_the_base_class_is_in_another_file() -> None:
    text = """\
import torch
from layers import Base
class Net(Base):
    def forward(self, x):
        torch.cuda.empty_cache()
        return x
"""
    base = "from torch import nn\nclass Base(nn.Module):\n    pass\n"
    assert check({"a.py": text, "layers.py": base}, ["TP406"]) == [(5, 9, "TP406")]


def test_forward_of_something_else() -> None:
    text = "import torch\nclass Robot:\n    def forward(self, x):\n        torch.cuda.empty_cache()\n        return x\n"
    assert check(text, ["TP406"]) == []
