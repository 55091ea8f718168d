"""What ops change, alias and save; the truth was measured on torch itself."""
from __future__ import annotations

import pytest

from flake8_torch_pitfalls import torch_model

SAVES_OUTPUT = "exp sigmoid tanh relu sqrt softmax log_softmax norm amax"
KEEPS_NO_OUTPUT = (
    "sin log gelu silu linear matmul layer_norm batch_norm dropout leaky_relu elu hardtanh relu6 softplus "
    "abs cat"
)
SAVES_INPUT = "sin pow linear conv2d log gelu mse_loss layer_norm abs max amax"
KEEPS_NO_INPUT = "exp add relu sigmoid softmax sum cat dropout"


def _op(name: str) -> torch_model.Op:
    found = torch_model.op(name)
    assert found is not None and found.known, name
    return found


@pytest.mark.parametrize("name", SAVES_OUTPUT.split())
def test_saves_output(name: str) -> None:
    assert _op(name).saves_output


@pytest.mark.parametrize("name", KEEPS_NO_OUTPUT.split())
def test_keeps_no_output(name: str) -> None:
    assert not _op(name).saves_output


@pytest.mark.parametrize("name", SAVES_INPUT.split())
def test_saves_input(name: str) -> None:
    assert _op(name).saves_inputs & {"self", "input"}


@pytest.mark.parametrize("name", KEEPS_NO_INPUT.split())
def test_keeps_no_input(name: str) -> None:
    assert not _op(name).saves_inputs & {"self", "input", "tensors"}


def test_what_is_saved_depends_on_what_needs_a_gradient() -> None:
    (of_tensors,) = (each for each in _op("mul").overloads if each.name == "Tensor")
    assert of_tensors.saves(frozenset({"self"})) == {"other"}
    assert of_tensors.saves(frozenset({"self", "other"})) == {"self", "other"}
    (of_number,) = (each for each in _op("mul").overloads if each.name == "Scalar")
    assert of_number.saves(frozenset({"self"})) == set()
    (linear,) = _op("linear").overloads
    assert linear.saves(frozenset({"input"})) == {"weight"}
    assert linear.saves(frozenset({"weight"})) == {"input"}


def test_max_saves_its_output_only_over_everything() -> None:
    kept = {each.name: each.saves(frozenset({"self"})) for each in _op("max").overloads}
    assert kept[""] == {"self", "result"}
    assert kept["dim"] == set()


@pytest.mark.parametrize("name", ["add_", "relu_", "zero_", "torch.Tensor.add_", "torch.Tensor.__iadd__"])
def test_in_place(name: str) -> None:
    assert _op(name).in_place and not _op(name).view


@pytest.mark.parametrize("name", ["transpose", "view", "t", "chunk", "torch.Tensor.T", "expand", "unsqueeze"])
def test_view(name: str) -> None:
    assert _op(name).view and not _op(name).in_place


def test_no_graph_comes_out_of_comparisons_and_factories() -> None:
    assert not any(_op(name).differentiable for name in ("eq", "argmax", "zeros", "zeros_like", "detach"))
    assert all(_op(name).differentiable for name in ("add", "relu", "max", "cross_entropy"))


def test_moves_and_detaches() -> None:
    assert _op("torch.Tensor.to").moves and _op("cuda").moves and not _op("add").moves
    assert _op("detach").detaches and _op("item").detaches and not _op("clone").detaches


def test_any_name_of_an_op_will_do() -> None:
    assert _op("torch.nn.functional.relu") is not None
    assert _op("torch.linalg.norm").name == "linalg_norm"
    assert _op("torch.Tensor.__mul__").name == "mul"
    assert torch_model.op("torch.nn.Linear") is None
    assert torch_model.op("") is None
