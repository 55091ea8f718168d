"""TP306: the implicit dimension of softmax depends on the number of dimensions, and torch warns."""
from __future__ import annotations

import warnings
from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn


@pytest.mark.parametrize("softmax", [F.softmax, F.log_softmax, F.softmin, nn.Softmax(), nn.LogSoftmax(), nn.Softmin()])
@pytest.mark.parametrize("dimensions, implicit", [(1, 0), (2, 1), (3, 0), (4, 1)])
def test_the_choice(softmax: Callable[[Tensor], Tensor], dimensions: int, implicit: int) -> None:
    scores = torch.rand((2, 3, 4, 5)[:dimensions])
    with pytest.warns(UserWarning, match="Implicit dimension choice"):
        guessed = softmax(scores)
    module = type(softmax)(implicit) if isinstance(softmax, nn.Module) else None
    assert torch.equal(guessed, module(scores) if module is not None else softmax(scores, dim=implicit))


def test_probabilities_of_a_batch_of_sequences_do_not_sum_to_one() -> None:
    scores = torch.rand(2, 3, 4)
    with pytest.warns(UserWarning):
        sums = F.softmax(scores).sum(-1)
    assert not torch.allclose(sums, torch.ones(2, 3))


def test_none_is_the_same_as_nothing() -> None:
    with pytest.warns(UserWarning, match="Implicit dimension choice"):
        F.softmax(torch.rand(2, 3), dim=None)


def test_said_dimensions_do_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sums = F.softmax(torch.rand(2, 3, 4), -1).sum(-1)
        nn.Softmax(dim=1)(torch.rand(2, 3))
    assert torch.allclose(sums, torch.ones(2, 3))


def test_other_spellings_raise_by_themselves() -> None:
    with pytest.raises(TypeError):
        torch.softmax(torch.rand(2, 3))
    with pytest.raises(TypeError):
        torch.rand(2, 3).softmax()
