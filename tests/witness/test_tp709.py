"""TP709: an optimizer over the parameters from before the wrapping."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FullyShardedDataParallel, fully_shard
from torch.distributed.tensor import DTensor
from torch.distributed.tensor.parallel import ColwiseParallel, parallelize_module

Wrap = Callable[[nn.Module], nn.Module]


@pytest.fixture(autouse=True)
def one_process(tmp_path: Path) -> Iterator[None]:
    """Run in a group of one process."""
    dist.init_process_group("gloo", init_method=f"file://{tmp_path / 'store'}", rank=0, world_size=1)
    yield
    dist.destroy_process_group()


def fsdp(model: nn.Module) -> nn.Module:
    return FullyShardedDataParallel(model, device_id=torch.device("cpu"))


def fsdp_with_originals(model: nn.Module) -> nn.Module:
    return FullyShardedDataParallel(model, device_id=torch.device("cpu"), use_orig_params=True)


def fsdp2(model: nn.Module) -> nn.Module:
    return fully_shard(model, mesh=init_device_mesh("cpu", (1,)))


def tensor_parallel(model: nn.Module) -> nn.Module:
    return parallelize_module(model, init_device_mesh("cpu", (1,)), ColwiseParallel())


def values(model: nn.Module) -> list[torch.Tensor]:
    whole = [p.full_tensor() if isinstance(p, DTensor) else p for p in model.parameters()]
    return [tensor.detach().clone() for tensor in whole]


def learns(wrap: Wrap, before: bool) -> bool:
    """Return whether a step changes the model, with the optimizer made *before* the wrapping or after it."""
    model: nn.Module = nn.Linear(2, 2)
    if before:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        model = wrap(model)
    else:
        model = wrap(model)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    old = values(model)
    model(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    return not all(map(torch.equal, old, values(model)))


@pytest.mark.filterwarnings("ignore:FSDP is switching")
@pytest.mark.parametrize("wrap", [fsdp, fsdp2, tensor_parallel])
def test_optimizer_before_the_wrapping(wrap: Wrap) -> None:
    assert not learns(wrap, before=True)
    assert learns(wrap, before=False)


@pytest.mark.filterwarnings("ignore:FSDP is switching")
@pytest.mark.parametrize("wrap", [fsdp_with_originals, nn.parallel.DistributedDataParallel])
def test_wrappers_that_keep_the_parameters(wrap: Wrap) -> None:
    assert learns(wrap, before=True)
