"""TP208 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch, torch.nn as nn\nfrom dataclasses import dataclass\nfrom typing import ClassVar, Optional\n"


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 3, column) for line, column, _ in check(HEAD + text, ["TP208"])]


def init(*lines: str, bases: str = "nn.Module") -> str:
    return "\n".join((f"class N({bases}):", "    def __init__(self, a=None):", *(f"        {line}" for line in lines)))


@pytest.mark.parametrize(
    "text, place",
    [
        (init("self.fc = nn.Linear(1, 1)"), (2, 5)),
        (init("self.fc = nn.Linear(1, 1).cuda()", "self.n = 1"), (2, 5)),
        (init("self.fc = nn.Linear(1, 1)", "super(N, self).__init__()"), (3, 9)),
        (init("if a:", "    self.p = nn.Parameter(a)", "super().__init__()"), (4, 13)),
        (init("super().__init__", "self.fc = nn.Linear(1, 1)"), (2, 5)),
        (init("self.a, self.b = nn.Tanh(), nn.ReLU()"), (2, 5)),
        (init("self.fc = nn.Linear(1, 1)", bases="Unknown, nn.Module"), (2, 5)),
        (init("self.add_module('fc', a)"), (2, 5)),
        (init("self.n = 1") + "\n    def forward(self, x): return x", (2, 5)),
        (init("torch.manual_seed(0)", "self.fc = nn.Linear(1, 1)", bases="torch.nn.modules.Module"), (2, 5)),
        ("import pytorch_lightning as pl\n" + init("self.fc = nn.Linear(1, 1)", bases="pl.LightningModule"), (3, 5)),
    ],
)
def test_missing_or_late(text: str, place: tuple[int, int]) -> None:
    assert found(text) == [place]


@pytest.mark.parametrize(
    "text",
    [
        init("super().__init__()", "self.fc = nn.Linear(1, 1)"),
        init("self.n = 1"),
        init("self.n = 1", "super().__init__()"),
        init("self.fc = a", "super().__init__()"),
        init("self.fc = None", "super().__init__()"),
        init("for base in N.__bases__: base.__init__(self)", "self.fc = nn.Linear(1, 1)"),
        init("prepare(self)", "self.fc = nn.Linear(1, 1)"),
        init("super().setup()", "self.fc = nn.Linear(1, 1)"),
        init("self.fc = nn.Linear(1, 1)", bases="Unknown"),
        init("self.fc = nn.Linear(1, 1)", bases="nn.Module, metaclass=Auto"),
        init("self.fc = nn.Linear(1, 1)", bases="object"),
        init("object.__setattr__(self, 'fc', nn.Linear(1, 1))", "super().__init__()"),
        "@dataclass\nclass N(nn.Module):\n    a: Optional[nn.Module] = None\n    b: ClassVar[nn.Module]\n    c: int\n",
        "class N(nn.Module):\n    pass",
    ],
)
def test_in_time_or_unknown(text: str) -> None:
    assert found(text) == []
