"""TP106: changing what autograd saved makes backward raise, or its gradient wrong."""
from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from torch import nn

MODIFIED = "modified by an inplace operation"


def _hidden() -> torch.Tensor:
    torch.manual_seed(0)
    return nn.Linear(4, 4)(torch.randn(3, 4))


@pytest.mark.parametrize("op", [torch.exp, torch.sigmoid, torch.tanh, torch.relu, torch.sqrt])
def test_ops_that_save_their_output(op: Callable[[torch.Tensor], torch.Tensor]) -> None:
    out = op(_hidden().abs() + 1)
    out += 1
    with pytest.raises(RuntimeError, match=MODIFIED):
        out.sum().backward()


@pytest.mark.parametrize("op", [torch.sin, torch.square, torch.log, F.gelu, nn.Linear(4, 2)])
def test_ops_that_save_their_input(op: Callable[[torch.Tensor], torch.Tensor]) -> None:
    hidden = _hidden().abs() * 2
    out = op(hidden)
    hidden += 1
    with pytest.raises(RuntimeError, match=MODIFIED):
        out.sum().backward()


@pytest.mark.parametrize("op", [torch.neg, torch.sin, F.leaky_relu, F.gelu, nn.Linear(4, 2)])
def test_ops_whose_output_may_change(op: Callable[[torch.Tensor], torch.Tensor]) -> None:
    out = op(_hidden())
    out += 1
    out[0] = 100.0
    out.sum().backward()


def test_a_layer_saves_an_input_that_has_no_graph() -> None:
    inputs = torch.randn(3, 4)
    out = nn.Linear(4, 2)(inputs)
    inputs.add_(1)
    with pytest.raises(RuntimeError, match=MODIFIED):
        out.sum().backward()


def test_a_mask_edited_after_its_use() -> None:
    weights, mask = nn.Parameter(torch.ones(3)), torch.ones(3)
    product = weights * mask
    mask[0] = 0
    with pytest.raises(RuntimeError, match=MODIFIED):
        product.sum().backward()


def test_no_grad_and_views_do_not_help() -> None:
    hidden = torch.tanh(_hidden())
    first = hidden[0]
    with torch.no_grad():
        first.clamp_(min=0)
    with pytest.raises(RuntimeError, match=MODIFIED):
        hidden.sum().backward()


def test_in_place_activation_on_what_a_shortcut_saved() -> None:
    layer, relu = nn.Linear(4, 4), nn.ReLU(inplace=True)
    hidden = _hidden()
    shortcut = layer(hidden)
    out = relu(hidden) + shortcut
    with pytest.raises(RuntimeError, match=MODIFIED):
        out.sum().backward()


def test_through_data_the_gradient_is_silently_wrong() -> None:
    weight = torch.ones(1, requires_grad=True)
    hidden = torch.tanh(weight)
    right = 1 - hidden.item() ** 2
    hidden.data.mul_(2)
    hidden.sum().backward()
    assert weight.grad is not None
    assert abs(weight.grad.item() - right) > 0.1


def test_after_the_backward_pass_anything_goes() -> None:
    inputs = torch.randn(3, 4)
    nn.Linear(4, 2)(inputs).exp().sum().backward()
    inputs.add_(1)
