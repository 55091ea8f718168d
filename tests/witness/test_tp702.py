"""TP702: collectives in different orders wait for each other, or exchange the wrong tensors."""
from __future__ import annotations

from pathlib import Path

import torch
import torch.distributed as dist
from ranks_witness import on_two_ranks


def two_kinds(rank: int, store: dist.Store) -> object:
    tensor = torch.ones(1)
    for collective in (dist.all_reduce, first_rank_gives)[:: 1 if rank == 0 else -1]:
        collective(tensor)
    return "passed"


def first_rank_gives(tensor: torch.Tensor) -> None:
    dist.broadcast(tensor, src=0)


def two_tensors(rank: int, store: dist.Store) -> object:
    first, second = torch.tensor([1.0]), torch.tensor([100.0])
    for tensor in (first, second) if rank == 0 else (second, first):
        dist.all_reduce(tensor)
    return first.item(), second.item()


def barriers_around_a_sum(rank: int, store: dist.Store) -> object:
    tensor = torch.ones(4)
    if rank != 0:
        dist.barrier()
    dist.all_reduce(tensor)
    if rank == 0:
        dist.barrier()
    return "passed"


def one_order(rank: int, store: dist.Store) -> object:
    first, second = torch.tensor([1.0]), torch.tensor([100.0])
    if rank == 0:
        dist.all_reduce(first)
        dist.all_reduce(second)
    else:
        dist.all_reduce(first)
        dist.all_reduce(second)
    return first.item(), second.item()


def test_two_kinds_wait_for_each_other(tmp_path: Path) -> None:
    assert all("Error" in str(answer) for answer in on_two_ranks(two_kinds, tmp_path))


def test_two_tensors_are_mixed_up(tmp_path: Path) -> None:
    assert on_two_ranks(two_tensors, tmp_path) == [(101.0, 101.0), (101.0, 101.0)]


def test_a_sum_between_two_barriers(tmp_path: Path) -> None:
    assert all("Error" in str(answer) for answer in on_two_ranks(barriers_around_a_sum, tmp_path))


def test_one_order_in_both_branches(tmp_path: Path) -> None:
    assert on_two_ranks(one_order, tmp_path) == [(2.0, 200.0), (2.0, 200.0)]
