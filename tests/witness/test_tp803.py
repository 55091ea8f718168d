"""TP803: an operator whose ``mutates_args`` is wrong gives other results when it is compiled, or raises."""
from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.library import custom_op, opcheck


@custom_op("tp803::undeclared", mutates_args=())
def undeclared(x: Tensor) -> None:
    x.add_(1)


@custom_op("tp803::declared", mutates_args={"x"})
def declared(x: Tensor) -> None:
    x.add_(1)


@custom_op("tp803::identity", mutates_args=())
def identity(x: Tensor) -> Tensor:
    return x


@custom_op("tp803::flat", mutates_args=())
def flat(x: Tensor) -> Tensor:
    return x.view(-1)


@custom_op("tp803::changed", mutates_args="unknown")
def changed(x: Tensor) -> Tensor:
    x.add_(1)
    return x


@custom_op("tp803::copied", mutates_args=())
def copied(x: Tensor) -> Tensor:
    x = x.clone()
    x.add_(1)
    return x


for op in (undeclared, declared):
    op.register_fake(lambda x: None)
copied.register_fake(lambda x: torch.empty_like(x))


def with_undeclared(x: Tensor) -> Tensor:
    y = x + 1
    undeclared(y)
    return y


def with_declared(x: Tensor) -> Tensor:
    y = x + 1
    declared(y)
    return y


def test_an_undeclared_change_is_lost() -> None:
    zeros = torch.zeros(2)
    assert with_undeclared(zeros).tolist() == [2.0, 2.0]
    assert torch.compile(with_undeclared, backend="aot_eager")(zeros).tolist() == [1.0, 1.0]
    with pytest.raises(Exception, match="not defined as mutable but was mutated"):
        opcheck(undeclared, (torch.zeros(2),))


def test_a_declared_change_is_kept() -> None:
    assert torch.compile(with_declared, backend="aot_eager")(torch.zeros(2)).tolist() == [2.0, 2.0]
    opcheck(declared, (torch.zeros(2),))


@pytest.mark.parametrize("op", [identity, flat, changed])
def test_results_must_not_be_arguments(op: torch.library.CustomOpDef) -> None:
    with pytest.raises(RuntimeError, match="must not also be an input"):
        op(torch.zeros(2))


def test_a_copy_may_be_changed_and_returned() -> None:
    opcheck(copied, (torch.zeros(2),))


@pytest.mark.parametrize("names", [{"z"}, "x"])
def test_mutates_args_that_name_no_parameter(names: object) -> None:
    with pytest.raises(ValueError, match="mutates_args"):
        custom_op("tp803::misnamed", copied._init_fn, mutates_args=names)
