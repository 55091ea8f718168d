"""TP701: a collective that one rank calls alone fails after the timeout, or meets another one."""
from __future__ import annotations

import datetime
from pathlib import Path

import torch
import torch.distributed as dist
from ranks_witness import on_two_ranks
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def barrier_on_rank_0(rank: int, store: dist.Store) -> object:
    if rank == 0:
        dist.barrier()
    else:
        store.wait(["done 0"], datetime.timedelta(seconds=30))
    return "passed"


def barrier_on_all(rank: int, store: dist.Store) -> object:
    if rank != 0:
        dist.barrier()
    if rank == 0:
        dist.barrier()
    return "passed"


def sum_on_rank_0_meets_a_later_sum(rank: int, store: dist.Store) -> object:
    first, second = torch.tensor([1.0]), torch.tensor([100.0])
    if rank == 0:
        dist.all_reduce(first)
    if rank == 1:
        dist.all_reduce(second)
    return first.item()


def evaluation_on_rank_0(rank: int, store: dist.Store) -> object:
    model = DistributedDataParallel(nn.BatchNorm1d(2)).eval()
    if rank == 0:
        with torch.no_grad():
            model(torch.ones(4, 2))
    else:
        store.wait(["done 0"], datetime.timedelta(seconds=30))
    return "passed"


def evaluation_of_the_module(rank: int, store: dist.Store) -> object:
    model = DistributedDataParallel(nn.BatchNorm1d(2)).eval()
    without_buffers = DistributedDataParallel(nn.Linear(2, 2))
    if rank == 0:
        with torch.no_grad():
            model.module(torch.ones(4, 2))
            without_buffers(torch.ones(4, 2))
    return "passed"


def test_one_rank_waits_in_vain(tmp_path: Path) -> None:
    alone, other = on_two_ranks(barrier_on_rank_0, tmp_path)
    assert "Error" in str(alone)
    assert other == "passed"


def test_every_rank_in_its_own_branch(tmp_path: Path) -> None:
    assert on_two_ranks(barrier_on_all, tmp_path) == ["passed", "passed"]


def test_it_meets_another_collective(tmp_path: Path) -> None:
    assert on_two_ranks(sum_on_rank_0_meets_a_later_sum, tmp_path) == [101.0, 1.0]


def test_ddp_broadcasts_its_buffers(tmp_path: Path) -> None:
    alone, _ = on_two_ranks(evaluation_on_rank_0, tmp_path)
    assert "Error" in str(alone)


def test_the_module_inside_and_a_model_without_buffers(tmp_path: Path) -> None:
    assert on_two_ranks(evaluation_of_the_module, tmp_path) == ["passed", "passed"]
