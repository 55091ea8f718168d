"""TP218: an optimizer that does not hold the parameters of its model."""
from __future__ import annotations

import copy
from collections.abc import Callable

import pytest
import torch
from torch import nn, optim


def net() -> nn.Sequential:
    return nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))


def trains(change: Callable[[nn.Sequential], nn.Module | None]) -> list[bool]:
    """Return for each parameter of the model after *change* whether a step of the older optimizer moves it."""
    model: nn.Module = net()
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    model = change(model) or model  # type: ignore[arg-type]
    before = [parameter.detach().clone() for parameter in model.parameters()]
    model(torch.ones(1, 2)).sum().backward()
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)
    optimizer.step()
    return [not torch.equal(old, new) for old, new in zip(before, model.parameters())]


def new_head(model: nn.Sequential) -> None:
    model[1] = nn.Linear(3, 1)


def test_a_new_layer_is_not_trained() -> None:
    assert trains(new_head) == [True, True, False, False]


def test_another_model_is_not_trained() -> None:
    assert not any(trains(lambda model: net()))
    assert not any(trains(copy.deepcopy))


def test_assigned_weights_are_not_trained() -> None:
    def assign(model: nn.Sequential) -> None:
        model.load_state_dict(net().state_dict(), assign=True)

    def load(model: nn.Sequential) -> None:
        model.load_state_dict(net().state_dict())

    assert not any(trains(assign))
    assert all(trains(load))


def test_weight_norm_brings_new_parameters() -> None:
    def normalize(model: nn.Sequential) -> None:
        nn.utils.parametrizations.weight_norm(model[0])

    assert trains(normalize) == [True, False, False, True, True]


@pytest.mark.parametrize(
    "change",
    [
        lambda model: model.to("cpu"),
        lambda model: model.train(),
        nn.DataParallel,
        lambda model: torch.compile(model, backend="eager"),
        lambda model: nn.Sequential(nn.Dropout(), model),
    ],
    ids=["to", "train", "parallel", "compile", "wrapped"],
)
def test_what_keeps_the_parameters(change: Callable[[nn.Sequential], nn.Module]) -> None:
    assert all(trains(change))


def test_dtype_keeps_the_parameters() -> None:
    model = net()
    weight = model[0].weight
    assert model.double()[0].weight is weight


def test_what_an_optimizer_does_not_take() -> None:
    one, other = net(), net()
    with pytest.raises(TypeError):
        optim.SGD(nn.Linear(2, 2), lr=0.1)
    for given in (one, [one, other], [one.parameters(), other.parameters()], [{"params": one}]):
        with pytest.raises(TypeError, match="can only optimize Tensors"):
            optim.SGD(given, lr=0.1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="empty parameter list"):
        optim.SGD([], lr=0.1)


def test_a_generator_that_is_used_up() -> None:
    params = net().parameters()
    assert sum(p.numel() for p in params) == 13
    with pytest.raises(ValueError, match="empty parameter list"):
        optim.SGD(params, lr=0.1)
    optimizer = optim.SGD([{"params": params}], lr=0.1)
    assert optimizer.param_groups[0]["params"] == []


def test_adagrad_makes_its_sums_at_once() -> None:
    model = net()
    optimizer = optim.Adagrad(model.parameters())
    assert optimizer.state[model[0].weight]["sum"].device == torch.device("cpu")
    assert not optim.Adam(model.parameters()).state


@pytest.mark.skipif(not torch.cuda.is_available(), reason="the sums stay on the CPU only where there is a GPU to go to")
def test_adagrad_raises_after_a_move() -> None:
    model = net()
    optimizer = optim.Adagrad(model.parameters())
    model.cuda()
    model(torch.ones(1, 2, device="cuda")).sum().backward()
    with pytest.raises(RuntimeError, match="same device"):
        optimizer.step()
