"""TP607: a trace keeps the outcome of the example; `torch.where` does not."""
from __future__ import annotations

import warnings
from collections.abc import Callable

import pytest
import torch


def traced(function: Callable[..., torch.Tensor], *example: torch.Tensor) -> Callable[..., torch.Tensor]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.jit.trace(function, example, check_trace=False)


def branch(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:
        return x * 2
    return x - 1


def read(x: torch.Tensor) -> torch.Tensor:
    return x * 2 if x.sum().item() > 0 else x - 1


def loop(x: torch.Tensor) -> torch.Tensor:
    while x.norm() > 1:
        x = x / 2
    return x


def passes(x: torch.Tensor) -> torch.Tensor:
    for _ in range(int(x.max())):
        x = x + 1
    return x


def chosen(x: torch.Tensor) -> torch.Tensor:
    return torch.where(x.sum() > 0, x * 2, x - 1)


@pytest.mark.parametrize("function", [branch, read, loop, passes])
def test_outcome_of_the_example_stays(function: Callable[..., torch.Tensor]) -> None:
    example, other = torch.tensor([1.0, 2.0]), torch.tensor([-9.0, 0.5])
    module = traced(function, example)
    assert torch.equal(module(example), function(example))
    assert not torch.equal(module(other), function(other))


def test_where_is_recorded() -> None:
    example, other = torch.tensor([1.0, 2.0]), torch.tensor([-9.0, 0.5])
    module = traced(chosen, example)
    assert torch.equal(module(other), branch(other))


def test_a_warning_is_all_that_is_said() -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        torch.jit.trace(branch, (torch.ones(2),), check_trace=False)
    assert torch.jit.TracerWarning in {one.category for one in said}


def test_export_refuses_the_branch() -> None:
    class Net(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return branch(x)

    with pytest.raises(Exception, match="(?i)data-dependent|guard"):
        torch.export.export(Net(), (torch.ones(2),))
