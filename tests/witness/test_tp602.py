"""TP602: compiling the same again makes a new wrapper each time; rebinding a module loses the module."""
from __future__ import annotations

import time
from typing import Any

import pytest
import torch
from torch import nn


@pytest.fixture(autouse=True)
def fresh() -> None:
    torch.compiler.reset()


class Counting:
    """A backend that counts what it compiles."""

    def __init__(self) -> None:
        self.compiled = 0

    def __call__(self, graph: Any, _: Any) -> Any:
        self.compiled += 1
        return graph.forward


def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2


def test_the_same_function_is_compiled_once_but_wrapped_each_time() -> None:
    backend = Counting()
    wrappers = [torch.compile(double, backend=backend) for _ in range(5)]
    for wrapper in wrappers:
        wrapper(torch.ones(2))
    assert backend.compiled == 1
    assert len(set(map(id, wrappers))) == 5


def test_each_wrapper_is_slower_than_one_that_is_kept() -> None:
    backend = Counting()
    kept = torch.compile(double, backend=backend)
    x = torch.ones(2)

    def fastest(call: Any) -> float:
        times = []
        for _ in range(100):
            start = time.perf_counter()
            call()
            times.append(time.perf_counter() - start)
        return min(times)

    kept(x)
    assert fastest(lambda: torch.compile(double, backend=backend)(x)) > 1.5 * fastest(lambda: kept(x))


def test_a_backend_of_its_own_compiles_again() -> None:
    backends = [Counting() for _ in range(3)]
    for backend in backends:
        torch.compile(double, backend=backend)(torch.ones(2))
    assert [backend.compiled for backend in backends] == [1, 1, 1]


def test_rebinding_a_module_loses_it() -> None:
    net: Any = nn.Linear(2, 2)
    net = torch.compile(net, backend="eager")
    assert isinstance(net, nn.Module)
    net = torch.compile(net, backend="eager")
    assert not isinstance(net, nn.Module)
    with pytest.raises(AttributeError):
        net.state_dict()


def test_one_compilation_before_the_loop() -> None:
    backend = Counting()
    kept = torch.compile(double, backend=backend)
    for _ in range(5):
        assert kept(torch.ones(2)).sum().item() == 4
    assert backend.compiled == 1
