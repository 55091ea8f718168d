"""TP108 on real torch: the results of operations keep no gradient."""
from __future__ import annotations

import pytest
import torch


def leaf():
    return torch.ones(3, requires_grad=True)


@pytest.mark.parametrize(
    "result",
    [lambda x: x.double(), lambda x: x * 2, lambda x: x.view(3, 1), torch.relu],
    ids=["move", "mul", "view", "relu"],
)
def test_a_result_has_no_gradient(result):
    x = leaf()
    y = result(x)
    y.sum().backward()
    with pytest.warns(UserWarning, match="not a leaf"):
        assert y.grad is None
    assert x.grad is not None
    with pytest.raises(ValueError, match="non-leaf"):
        torch.optim.SGD([y], lr=0.1)


def test_retain_grad_keeps_it():
    y = leaf() * 2
    y.retain_grad()
    y.sum().backward()
    assert y.grad is not None


@pytest.mark.parametrize(
    "kept", [lambda x: x.float(), lambda x: x.to("cpu"), lambda x: x.contiguous()], ids=["float", "cpu", "contiguous"]
)
def test_a_move_that_changes_nothing_gives_the_leaf(kept):
    x = leaf()
    assert kept(x) is x


def test_asked_for_last_it_is_a_leaf():
    x = torch.ones(3).double().requires_grad_()
    x.sum().backward()
    assert x.grad is not None
    torch.optim.SGD([x], lr=0.1)
