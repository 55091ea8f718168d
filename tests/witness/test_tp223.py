"""TP223 module-repeated: one layer under several names."""
from __future__ import annotations

import copy

from torch import nn


def test_copies_by_multiplication_share_their_weights() -> None:
    layers = nn.ModuleList([nn.Linear(2, 2)] * 3)
    assert len(layers) == 3
    assert len(list(layers.parameters())) == 2
    assert layers[0] is layers[2]
    assert len(list(nn.Sequential(*[nn.Linear(2, 2), nn.ReLU()] * 3).parameters())) == 2


def test_a_comprehension_over_one_layer_shares_it_too() -> None:
    layer = nn.Linear(2, 2)
    assert len(list(nn.ModuleList([layer for _ in range(3)]).parameters())) == 2
    assert len(list(nn.ModuleDict({key: layer for key in "abc"}).parameters())) == 2


def test_layers_made_or_copied_in_each_turn_do_not() -> None:
    layer = nn.Linear(2, 2)
    assert len(list(nn.ModuleList([nn.Linear(2, 2) for _ in range(3)]).parameters())) == 6
    assert len(list(nn.ModuleList([copy.deepcopy(layer) for _ in range(3)]).parameters())) == 6
