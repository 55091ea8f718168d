"""TP402: operands on two devices raise. The meta device shows it everywhere, a GPU where there is one."""
from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

DEVICES = ["meta", pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU"))]
Operation = Callable[[torch.Tensor, torch.Tensor], object]

REFUSED: dict[str, Operation] = {
    "add": lambda here, there: here + there,
    "compare": lambda here, there: here == there,
    "cat": lambda here, there: torch.cat([here, there]),
    "where": lambda here, there: torch.where(here > 0, there, there),
    "mse_loss": lambda here, there: F.mse_loss(there, here),
    "cross_entropy": lambda here, there: F.cross_entropy(there, here[0].long()),
}
REFUSED_BY_GPU: dict[str, Operation] = {  # the meta device does not check these
    "matmul": lambda here, there: here @ there,
    "linear": lambda here, there: F.linear(here, there),
    "conv1d": lambda here, there: F.conv1d(here[None], there[..., None]),
}
ALLOWED: dict[str, Operation] = {
    "a number": lambda here, there: there * torch.tensor(2.0),
    "a copy": lambda here, there: torch.empty_like(there).copy_(here),
    "an index": lambda here, there: there[torch.tensor([0])],
    "a part": lambda here, there: there.__setitem__(0, here[0]) if there.device.type == "cuda" else None,
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("operation", REFUSED.values(), ids=REFUSED)
def test_refused(device: str, operation: Operation) -> None:
    with pytest.raises((RuntimeError, NotImplementedError), match="device|meta"):
        operation(torch.rand(2, 2), torch.rand(2, 2, device=device))


@pytest.mark.parametrize("device", DEVICES[1:])
@pytest.mark.parametrize("operation", REFUSED_BY_GPU.values(), ids=REFUSED_BY_GPU)
def test_refused_by_a_gpu(device: str, operation: Operation) -> None:
    with pytest.raises(RuntimeError, match="device"):
        operation(torch.rand(2, 2), torch.rand(2, 2, device=device))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("operation", ALLOWED.values(), ids=ALLOWED)
def test_allowed(device: str, operation: Operation) -> None:
    operation(torch.rand(2, 2), torch.rand(2, 2, device=device))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("layer", [nn.Linear, nn.LSTM])
def test_a_module_and_its_input(device: str, layer: type[nn.Module]) -> None:
    moved = layer(4, 2).to(device)
    with pytest.raises(RuntimeError):
        moved(torch.rand(2, 3, 4))
    moved(torch.rand(2, 3, 4, device=device))


@pytest.mark.parametrize("device", DEVICES)
def test_a_hidden_state_left_behind(device: str) -> None:
    rnn = nn.GRU(4, 2).to(device)
    x = torch.rand(3, 1, 4, device=device)
    with pytest.raises(RuntimeError):
        rnn(x, torch.zeros(1, 1, 2))
    rnn(x, torch.zeros(1, 1, 2, device=x.device))


def test_a_module_without_parameters_takes_what_it_gets() -> None:
    assert nn.ReLU().to("meta")(torch.ones(2)).device.type == "cpu"


def test_a_loader_gives_cpu_tensors() -> None:
    [x, y] = next(iter(DataLoader(TensorDataset(torch.rand(4, 2), torch.zeros(4)), batch_size=2)))
    assert {x.device.type, y.device.type} == {"cpu"}


def test_the_default_device_is_for_factories_only() -> None:
    with torch.device("meta"):
        assert nn.Linear(2, 2)(torch.rand(1, 2)).device.type == "meta"
