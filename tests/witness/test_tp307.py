"""TP307: copies of tensors that warn and lose the graph, and constructors that copy nothing."""
from __future__ import annotations

import warnings
from collections.abc import Callable

import pytest
import torch
from torch import Tensor


@pytest.mark.parametrize("copy", [torch.tensor, torch.ones(1).new_tensor])
def test_a_copy_warns_and_has_no_graph(copy: Callable[[Tensor], Tensor]) -> None:
    weight = torch.ones(2, requires_grad=True)
    result = weight * 3
    with pytest.warns(UserWarning, match="To copy construct from a tensor"):
        copied = copy(result)
    assert not copied.requires_grad and copied.data_ptr() != result.data_ptr()


@pytest.mark.parametrize("constructor", [torch.Tensor, torch.FloatTensor])
def test_the_old_constructors_share_memory_and_graph(constructor: Callable[[Tensor], Tensor]) -> None:
    weight = torch.ones(2, requires_grad=True)
    result = weight * 3
    alias = constructor(result)
    assert alias.data_ptr() == result.data_ptr() and alias.requires_grad

    numbers = torch.zeros(2)
    constructor(numbers).add_(1)
    assert numbers.tolist() == [1, 1]


def test_the_old_constructor_does_not_convert() -> None:
    assert torch.Tensor(torch.arange(3)).dtype == torch.int64
    with pytest.raises(TypeError):
        torch.FloatTensor(torch.arange(3))


def test_clones_do_neither() -> None:
    weight = torch.ones(2, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not weight.detach().clone().requires_grad
        assert weight.clone().requires_grad
        assert torch.tensor(weight.tolist()).tolist() == [1, 1]
