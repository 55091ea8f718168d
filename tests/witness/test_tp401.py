"""TP401: a tensor's move returns another tensor; a module moves in place."""
from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.nn.utils.rnn import pack_sequence
from torch.utils.data import DataLoader, Dataset

MOVES: dict[str, Callable[[torch.Tensor], object]] = {
    "to a device": lambda x: x.to("meta"),
    "to a dtype": lambda x: x.to(torch.float64),
    "half": lambda x: x.half(),
    "double": lambda x: x.double(),
    "bfloat16": lambda x: x.bfloat16(),
    "type": lambda x: x.type(torch.float64),
}


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
def test_a_tensor_stays_as_it_was(move: Callable[[torch.Tensor], object]) -> None:
    x = torch.ones(2)
    moved = move(x)
    assert (x.device.type, x.dtype) == ("cpu", torch.float32)
    assert moved is not x


def test_contiguous_leaves_the_strides() -> None:
    x = torch.rand(2, 3).t()
    assert x.contiguous().is_contiguous()
    assert not x.is_contiguous()


def test_a_parameter_is_a_tensor() -> None:
    weight = nn.Parameter(torch.ones(2))
    weight.to("meta")
    assert weight.device.type == "cpu"


def test_a_packed_sequence_too() -> None:
    packed = pack_sequence([torch.ones(3), torch.ones(2)])
    packed.double()
    assert packed.data.dtype == torch.float32


def test_a_module_moves_in_place() -> None:
    layer = nn.Linear(2, 2)
    layer.to("meta")
    layer.double()
    assert (layer.weight.device.type, layer.weight.dtype) == ("meta", torch.float64)


class Objects(Dataset[object]):
    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: int) -> object:
        return nn.Linear(1, 1)


def test_the_default_collate_function_gives_nothing_else_that_moves() -> None:
    with pytest.raises(TypeError):
        next(iter(DataLoader(Objects(), batch_size=2)))
