"""TP227 on real torch: what channel dropout does to rows."""
from __future__ import annotations

import warnings

import pytest
import torch
import torch.nn.functional as F
from torch import nn


@pytest.mark.parametrize("layer, name", [(nn.Dropout2d(), "dropout2d"), (nn.Dropout3d(), "dropout3d")])
def test_on_rows_it_warns_that_it_will_raise(layer, name):
    with pytest.warns(UserWarning, match=f"Received a 2-D input to {name}, which is deprecated and will result in an"):
        layer(torch.ones(4, 6))


def test_on_rows_it_drops_single_numbers_like_ordinary_dropout():
    rows = torch.ones(64, 64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        kept = (F.dropout2d(rows, 0.5) != 0).float().mean(dim=1)
    assert 0.2 < kept.min() and kept.max() < 0.8


def test_on_images_it_drops_whole_channels_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kept = (nn.Dropout2d()(torch.ones(8, 8, 4, 4)) != 0).float().mean(dim=(2, 3))
        nn.Dropout()(torch.ones(4, 6))
    assert set(kept.flatten().tolist()) == {0.0, 1.0}
