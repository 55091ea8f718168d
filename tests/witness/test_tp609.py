"""TP609: the variant that is the default warns, refuses keywords and loses gradients."""
from __future__ import annotations

import warnings

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


def test_unset_warns() -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    with pytest.warns(UserWarning, match="use_reentrant parameter should be passed explicitly"):
        checkpoint(net, torch.ones(1, 2, requires_grad=True))
    with pytest.warns(UserWarning, match="parameter should be passed explicitly"):
        checkpoint_sequential(net, 2, torch.ones(1, 2, requires_grad=True))


@pytest.mark.filterwarnings("ignore")
def test_parameters_behind_a_plain_input_lose_their_gradient() -> None:
    first, last = nn.Linear(2, 2), nn.Linear(2, 1)
    last(checkpoint(first, torch.ones(1, 2))).sum().backward()
    assert first.weight.grad is None

    last(checkpoint(first, torch.ones(1, 2), use_reentrant=False)).sum().backward()
    assert first.weight.grad is not None


@pytest.mark.filterwarnings("ignore")
def test_keywords_are_refused() -> None:
    x = torch.ones(1, 2, requires_grad=True)
    with pytest.raises(ValueError, match="Unexpected keyword arguments: scale"):
        checkpoint(lambda x, scale: x * scale, x, scale=2)
    assert checkpoint(lambda x, scale: x * scale, x, scale=2, use_reentrant=False).sum().item() == 4


@pytest.mark.filterwarnings("ignore")
def test_grad_and_nested_tensors() -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="incompatible with .grad"):
        torch.autograd.grad(checkpoint(torch.exp, x).sum(), x)
    assert not checkpoint(lambda xs: xs[0] * 2, [x]).requires_grad
    assert checkpoint(lambda xs: xs[0] * 2, [x], use_reentrant=False).requires_grad


def test_given_is_quiet() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checkpoint(nn.Linear(2, 2), torch.ones(1, 2), use_reentrant=False)
