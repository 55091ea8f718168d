"""TP007: a state dictionary holds the parameters themselves."""
from __future__ import annotations

import collections
import copy
from collections.abc import Callable

import pytest
import torch
from torch import nn, optim

State = dict[str, torch.Tensor]
LIVE: dict[str, Callable[[State], State]] = {
    "itself": lambda state: state,
    "copy method": lambda state: state.copy(),
    "dict": dict,
    "OrderedDict": collections.OrderedDict,
    "copy.copy": copy.copy,
    "detach, cpu": lambda state: {name: value.detach().cpu() for name, value in state.items()},
    "data": lambda state: {name: value.data for name, value in state.items()},
}
COPIED: dict[str, Callable[[State], State]] = {
    "deepcopy": copy.deepcopy,
    "clone": lambda state: {name: value.clone() for name, value in state.items()},
}


def train(model: nn.Module, optimizer: optim.Optimizer | None = None) -> None:
    optimizer = optimizer or optim.SGD(model.parameters(), lr=1.0)
    optimizer.zero_grad()
    model(torch.ones(1, 2)).sum().backward()
    optimizer.step()


def restored(keep: Callable[[State], State]) -> bool:
    """Return whether what *keep* makes of the state brings back the weights of before the training."""
    model = nn.Linear(2, 1)
    before = model.weight.detach().clone()
    kept = keep(model.state_dict())
    train(model)
    model.load_state_dict(kept)
    return torch.equal(model.weight, before)


@pytest.mark.parametrize("keep", LIVE.values(), ids=LIVE.keys())
def test_live_state_follows_the_training(keep: Callable[[State], State]) -> None:
    assert not restored(keep)


@pytest.mark.parametrize("keep", COPIED.values(), ids=COPIED.keys())
def test_copied_state_stays(keep: Callable[[State], State]) -> None:
    assert restored(keep)


@pytest.mark.parametrize("copied", [False, True])
def test_state_of_an_optimizer(copied: bool) -> None:
    model = nn.Linear(2, 1)
    optimizer = optim.Adam(model.parameters())
    train(model, optimizer)
    state = optimizer.state_dict()
    state = copy.deepcopy(state) if copied else state
    before = state["state"][0]["exp_avg"].clone()
    train(model, optimizer)
    assert torch.equal(state["state"][0]["exp_avg"], before) == copied


@pytest.mark.parametrize("copied", [False, True])
def test_two_optimizers_share_their_momentum(copied: bool) -> None:
    first, second = nn.Linear(2, 1), nn.Linear(2, 1)
    one, two = optim.Adam(first.parameters()), optim.Adam(second.parameters())
    train(first, one)
    two.load_state_dict(copy.deepcopy(one.state_dict()) if copied else one.state_dict())
    before = one.state[first.weight]["exp_avg"].clone()
    train(second, two)
    assert torch.equal(one.state[first.weight]["exp_avg"], before) == copied


@pytest.mark.parametrize("assign", [False, True])
def test_assigned_parameters_are_shared(assign: bool) -> None:
    online, target = nn.Linear(2, 1), nn.Linear(2, 1)
    target.load_state_dict(online.state_dict(), assign=assign)
    before = target.weight.detach().clone()
    train(online)
    assert torch.equal(target.weight, before) != assign
