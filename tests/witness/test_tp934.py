"""TP934: for a batch of one, squeeze() drops the batch dimension, too."""
from __future__ import annotations

import warnings

import torch
from torch import nn


def test_shape_depends_on_the_batch() -> None:
    head = nn.Linear(8, 1)
    assert head(torch.ones(32, 8)).squeeze().shape == (32,)
    assert head(torch.ones(1, 8)).squeeze().shape == ()
    assert head(torch.ones(1, 8)).squeeze(-1).shape == (1,)


def test_the_loss_warns_or_raises() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        nn.functional.mse_loss(torch.ones(1, 1).squeeze(), torch.ones(1))
    assert any("size" in str(warning.message) for warning in caught)
