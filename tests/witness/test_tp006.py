"""TP006: the bound method is saved without a word, and fails where weights are expected."""
from __future__ import annotations

import copy
import io
import pickle

import pytest
import torch
from torch import nn


def test_the_method_is_saved_and_refused() -> None:
    net, file = nn.Linear(2, 2), io.BytesIO()
    torch.save(net.state_dict, file)
    file.seek(0)
    with pytest.raises(pickle.UnpicklingError):
        torch.load(file)
    file.seek(0)
    assert callable(torch.load(file, weights_only=False))


def test_loading_the_method_raises() -> None:
    net = nn.Linear(2, 2)
    with pytest.raises(TypeError, match="dict-like"):
        net.load_state_dict(net.state_dict)


def test_a_copy_is_still_the_method() -> None:
    assert callable(copy.deepcopy(nn.Linear(2, 2).state_dict))


def test_called_it_round_trips() -> None:
    net, twin, file = nn.Linear(2, 2), nn.Linear(2, 2), io.BytesIO()
    torch.save(net.state_dict(), file)
    file.seek(0)
    twin.load_state_dict(torch.load(file))
    assert torch.equal(net.weight, twin.weight)
