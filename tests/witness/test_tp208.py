"""TP208: what a module cannot do before its base is initialised."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
import torch
from torch import nn


def module(init: Callable[[nn.Module], None]) -> type[nn.Module]:
    return type("Some", (nn.Module,), {"__init__": init, "forward": lambda self, x: x})


@pytest.mark.parametrize(
    "init",
    [
        lambda self: setattr(self, "fc", nn.Linear(1, 1)),
        lambda self: setattr(self, "scale", nn.Parameter(torch.ones(1))),
        lambda self: self.register_buffer("mean", torch.zeros(1)),
        lambda self: (super(nn.Module, self).__init__(), setattr(self, "fc", nn.Linear(1, 1))),
    ],
    ids=["module", "parameter", "buffer", "super of nn.Module"],
)
def test_assigning_raises(init: Callable[[nn.Module], None]) -> None:
    with pytest.raises(AttributeError, match="before Module.__init__"):
        module(init)()


@pytest.mark.parametrize(
    "use",
    [lambda m: m(torch.ones(1)), nn.Module.eval, lambda m: m.to("cpu"), lambda m: list(m.parameters())],
    ids=["call", "eval", "to", "parameters"],
)
def test_a_module_of_numbers_is_built_and_of_no_use(use: Callable[[nn.Module], object]) -> None:
    made = module(lambda self: setattr(self, "gamma", 2.0))()
    with pytest.raises(AttributeError, match="has no attribute '_"):
        use(made)


def test_plain_attributes_may_come_first() -> None:
    def init(self: nn.Module) -> None:
        self.width, self.table, self.extra = 3, torch.zeros(3), None
        nn.Module.__init__(self)
        self.fc = nn.Linear(1, 1)

    made = module(init)()
    assert made.width == 3 and len(list(made.parameters())) == 2 and made(1) == 1


def test_dataclasses() -> None:
    @dataclass(eq=False)
    class Residual(nn.Module):
        inner: nn.Module

        def __post_init__(self) -> None:
            super().__init__()

    @dataclass(eq=False)
    class Sized(nn.Module):
        width: int

        def __post_init__(self) -> None:
            super().__init__()
            self.fc = nn.Linear(self.width, 1)

    with pytest.raises(AttributeError, match="before Module.__init__"):
        Residual(nn.ReLU())
    assert Sized(3).fc.in_features == 3
