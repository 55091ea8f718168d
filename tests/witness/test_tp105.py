"""TP105: what ``retain_graph=True`` costs, and what it does not cure."""
from __future__ import annotations

import pytest
import torch
from torch import nn


class Kept(torch.autograd.Function):
    """The identity, which saves its input and tells whether that is still there after the backward pass."""

    @staticmethod
    def forward(ctx: torch.autograd.function.FunctionCtx, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x.clone()

    @staticmethod
    def backward(ctx: torch.autograd.function.FunctionCtx, grad: torch.Tensor) -> torch.Tensor:
        return grad


def is_freed(retain: bool) -> bool:
    """Return whether a backward pass frees the tensors that were saved for it."""
    x = torch.ones(3, requires_grad=True)
    y = Kept.apply(2 * x)
    y.sum().backward(retain_graph=retain)
    try:
        y.grad_fn.saved_tensors
    except RuntimeError:
        return True
    return False


def test_saved_tensors_stay() -> None:
    assert not is_freed(retain=True)
    assert is_freed(retain=False)


def train(retain: bool, detach: bool) -> None:
    """Take three steps with a hidden state that is carried from one to the next."""
    torch.manual_seed(0)
    rnn = nn.RNN(2, 3)
    optimizer = torch.optim.SGD(rnn.parameters(), lr=0.1)
    hidden = torch.zeros(1, 1, 3)
    for _ in range(3):
        if detach:
            hidden = hidden.detach()
        output, hidden = rnn(torch.ones(1, 1, 2), hidden)
        optimizer.zero_grad()
        output.sum().backward(retain_graph=retain)
        optimizer.step()


def test_retaining_only_moves_the_error() -> None:
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        train(retain=False, detach=False)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        train(retain=True, detach=False)


def test_detaching_cures_it() -> None:
    train(retain=False, detach=True)
