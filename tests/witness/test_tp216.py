"""TP216: what ``train``, ``eval`` and ``nn.init`` refuse, and what they let pass unseen."""
from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import init


@pytest.mark.parametrize("mode", ["eval", 0, 1, None, nn.Linear(1, 1)], ids=["text", "0", "1", "None", "module"])
def test_train_takes_a_bool(mode: object) -> None:
    with pytest.raises(ValueError, match="expected to be boolean"):
        nn.Linear(2, 2).train(mode)
    assert not nn.Linear(2, 2).train(False).training


def test_eval_takes_nothing() -> None:
    with pytest.raises(TypeError):
        nn.Linear(2, 2).eval(True)
    assert not nn.Linear(2, 2).eval().training


@pytest.mark.parametrize("call", ["train", "eval"])
def test_flag_hides_the_method(call: str) -> None:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.train = True

    with pytest.raises(TypeError, match="not callable"):
        getattr(Net(), call)()


def test_training_is_the_flag_of_one_module() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Dropout())
    model.training = False
    assert model[1].training
    assert not model.eval()[1].training


LAYER = nn.Linear(2, 2)


@pytest.mark.parametrize(
    "initialise",
    [init.xavier_uniform_, init.xavier_normal_, init.kaiming_uniform_, init.kaiming_normal_, init.orthogonal_],
    ids=lambda function: function.__name__,
)
def test_two_dimensions_are_wanted(initialise: object) -> None:
    for flat in (LAYER.bias, nn.BatchNorm2d(3).weight, nn.PReLU().weight):
        with pytest.raises(ValueError, match="dimensions"):
            initialise(flat)
    initialise(LAYER.weight)
    init.zeros_(LAYER.bias)


@pytest.mark.parametrize("initialise", [init.xavier_uniform_, init.zeros_, init.normal_], ids=lambda one: one.__name__)
def test_a_tensor_is_wanted(initialise: object) -> None:
    with pytest.raises(AttributeError):
        initialise(LAYER)
    with pytest.raises(AttributeError):
        LAYER.apply(initialise)


def test_options_that_are_not_known() -> None:
    with pytest.raises(ValueError, match="negative_slope"):
        init.kaiming_normal_(LAYER.weight, "relu")
    with pytest.raises(ValueError, match="Mode"):
        init.kaiming_normal_(LAYER.weight, mode="fan-in")
    with pytest.raises(TypeError):
        init.xavier_normal_(LAYER.weight, gain="relu")
    for name in ("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d",
                 "sigmoid", "tanh", "relu", "leaky_relu", "selu"):  # fmt: skip
        init.calculate_gain(name)
    for name in ("gelu", "elu", "silu", "LeakyReLU"):
        with pytest.raises(ValueError, match="Unsupported nonlinearity"):
            init.calculate_gain(name)
        with pytest.raises(ValueError, match="Unsupported nonlinearity"):
            init.kaiming_normal_(LAYER.weight, nonlinearity=name)


def test_apply_wants_a_function() -> None:
    def init_weights(module: nn.Module) -> None:
        if isinstance(module, nn.Linear):
            init.ones_(module.weight)

    with pytest.raises(TypeError, match="not callable"):
        nn.Linear(2, 2).apply(init_weights(LAYER))
    assert torch.equal(nn.Linear(2, 2).apply(init_weights).weight, torch.ones(2, 2))
