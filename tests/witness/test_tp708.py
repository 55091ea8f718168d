"""TP708: nccl moves tensors between GPUs only."""
from __future__ import annotations

from pathlib import Path

import pytest
import torch
import torch.distributed as dist
from ranks_witness import on_two_ranks

on_gpu = pytest.mark.skipif(
    not (torch.cuda.is_available() and dist.is_nccl_available()), reason="nccl needs a GPU; CPU tensors under it do too"
)


def sum_on_the_cpu(rank: int, store: dist.Store) -> object:
    total = torch.ones(1)
    dist.all_reduce(total)
    return total.item()


def test_gloo_takes_tensors_on_the_cpu(tmp_path: Path) -> None:
    assert on_two_ranks(sum_on_the_cpu, tmp_path) == [2.0, 2.0]


@pytest.mark.filterwarnings("ignore:Attempted to get default timeout")
@pytest.mark.skipif(torch.cuda.is_available(), reason="shows what happens without a GPU")
def test_nccl_without_a_gpu(tmp_path: Path) -> None:
    with pytest.raises((RuntimeError, ValueError), match="no GPUs found|NCCL built in"):
        dist.init_process_group("nccl", init_method=f"file://{tmp_path / 'store'}", rank=0, world_size=1)
    if dist.is_initialized():
        dist.destroy_process_group()


@on_gpu
@pytest.mark.parametrize("backend, moves", [("nccl", False), ("cpu:gloo,cuda:nccl", True)])
def test_cpu_tensor(tmp_path: Path, backend: str, moves: bool) -> None:
    dist.init_process_group(backend, init_method=f"file://{tmp_path / 'store'}", rank=0, world_size=1)
    try:
        if moves:
            dist.all_reduce(torch.ones(1))
        else:
            with pytest.raises(RuntimeError, match="No backend type associated with device type cpu"):
                dist.all_reduce(torch.ones(1))
    finally:
        dist.destroy_process_group()
