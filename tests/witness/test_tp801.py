"""TP801: backward through an operator without a formula raises."""
from __future__ import annotations

import pytest
import torch


@torch.library.custom_op("witness_tp801::bare", mutates_args=())
def bare(x: torch.Tensor) -> torch.Tensor:
    return torch.sin(x)


@torch.library.custom_op("witness_tp801::complete", mutates_args=())
def complete(x: torch.Tensor) -> torch.Tensor:
    return torch.sin(x)


complete.register_autograd(
    lambda ctx, grad: grad * torch.cos(ctx.saved_tensors[0]),
    setup_context=lambda ctx, inputs, output: ctx.save_for_backward(inputs[0]),
)


@torch.library.custom_op("witness_tp801::clear", mutates_args={"x"})
def clear(x: torch.Tensor) -> None:
    x.zero_()


def test_backward_raises() -> None:
    x = torch.ones(3, requires_grad=True)
    out = bare(x)
    assert out.requires_grad
    with pytest.raises(Exception, match="autograd"):
        out.sum().backward()


def test_with_a_formula() -> None:
    x = torch.zeros(3, requires_grad=True)
    complete(x).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [1, 1, 1]


def test_a_mutating_operator_takes_no_formula() -> None:
    with pytest.raises(RuntimeError):
        clear.register_autograd(lambda ctx, grad: grad)
        clear(torch.ones(1))
