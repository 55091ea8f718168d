"""TP606: what is reported compiles for each call up to a limit; the look-alikes compile once or twice."""
from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import torch
import torch._dynamo
from torch import nn

CALLS = 12
LIMIT = 8
X = torch.ones(3)
total = 0


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def compilations(function: Callable[..., object], call: Callable[..., object], **options: object) -> int:
    """Return how often *function* is compiled where *call* runs the compiled one, with the number of the call."""
    made = 0

    def backend(graph: torch.fx.GraphModule, _: object) -> Callable[..., object]:
        nonlocal made
        made += 1
        return graph.forward

    compiled = torch.compile(function, backend=backend, **options)
    for number in range(CALLS):
        call(compiled, number)
    return made


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.rate = 0.0
        self.kept: list[torch.Tensor] = []
        self.register_buffer("total", torch.zeros((), dtype=torch.long))


class Counting(Net):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count += 1
        return x * 2


class Keeping(Net):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.kept.append(x)
        return x * 2


class Reading(Net):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.count


class Rate(Net):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.rate += 0.1
        return x * self.rate


class Buffer(Net):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.total += 1
        return x * self.total


class Emptied(Net):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.kept = []
        self.kept.append(x)
        return x * 2


class Plain:
    def __init__(self) -> None:
        self.count = 0

    def run(self, x: torch.Tensor) -> torch.Tensor:
        self.count += 1
        return x * self.count


def counted(x: torch.Tensor) -> torch.Tensor:
    global total
    total += 1
    return x * 2


def repeated(x: torch.Tensor, times: int) -> torch.Tensor:
    for _ in range(times):
        x = x + 1
    return x


def once(compiled: Callable[..., object], _: int) -> None:
    compiled(X)


@pytest.mark.parametrize("function", [Counting(), Keeping(), counted])
def test_changed_inside(function: Callable[..., object]) -> None:
    assert compilations(function, once) == LIMIT


@pytest.mark.parametrize("function", [Rate(), Buffer(), Emptied(), Plain().run])
def test_changed_inside_for_two_compilations_at_most(function: Callable[..., object]) -> None:
    assert compilations(function, once) <= 2


def test_allowed() -> None:
    with torch._dynamo.config.patch(allow_unspec_int_on_nn_module=True):
        assert compilations(Counting(), once) == 2


def test_changed_from_outside() -> None:
    net = Reading()

    def call(compiled: Callable[..., object], number: int) -> None:
        net.count = number
        compiled(X)

    assert compilations(net, call) == LIMIT


def test_ranges_strings_and_static_sizes() -> None:
    assert compilations(repeated, lambda f, n: f(X, n + 1)) == LIMIT
    assert compilations(lambda x, name: x * len(name), lambda f, n: f(X, f"step {n}")) == LIMIT
    assert compilations(lambda x: x * 2, lambda f, n: f(torch.ones(n + 2)), dynamic=False) == LIMIT


def test_numbers_and_sizes() -> None:
    assert compilations(lambda x, n: x * n, lambda f, n: f(X, n)) == 2
    assert compilations(lambda x, n: x * n, lambda f, n: f(X, n / 10)) == 2
    assert compilations(lambda x: x * 2, lambda f, n: f(torch.ones(n + 2))) == 2
    assert compilations(lambda x: x * 2, lambda f, n: f(torch.ones(3, requires_grad=n % 2 == 0))) == 2


def test_gives_up_after_the_limit() -> None:
    assert torch._dynamo.config.recompile_limit == LIMIT
