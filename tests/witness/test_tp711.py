"""TP711: a transfer that nobody waited for has not happened yet, or sends what was written later."""
from __future__ import annotations

import datetime
from pathlib import Path

import torch
import torch.distributed as dist
from ranks_witness import on_two_ranks

LARGE = 4_000_000
LONG = datetime.timedelta(seconds=30)


def read_before_the_wait(rank: int, store: dist.Store) -> object:
    tensor = torch.full((LARGE,), rank + 1.0)
    if rank == 1:
        store.wait(["read"], LONG)  # so that rank 0 surely reads before the sum is there
    work = dist.all_reduce(tensor, async_op=True)
    early = tensor[-1].item()
    store.set("read" if rank == 0 else "unused", "yes")
    work.wait()
    return early, tensor[-1].item()


def receive_and_drop(rank: int, store: dist.Store) -> object:
    if rank == 0:
        store.wait(["read"], LONG)
        dist.isend(torch.ones(3), 1).wait()
        return None
    tensor = torch.zeros(3)
    request = dist.irecv(tensor, 0)
    early = tensor[0].item()
    store.set("read", "yes")
    request.wait()
    return early, tensor[0].item()


def change_while_sending(rank: int, store: dist.Store) -> object:
    tensor = torch.zeros(LARGE)
    if rank == 0:
        request = dist.isend(tensor, 1)
        tensor += 7
        store.set("changed", "yes")
        request.wait()
        return None
    store.wait(["changed"], LONG)
    dist.recv(tensor, 0)
    return tensor[-1].item()


def barrier_nobody_waits_for(rank: int, store: dist.Store) -> object:
    if rank == 0:
        dist.barrier(async_op=True)
        store.set("passed", "yes")
    else:
        store.wait(["passed"], LONG)  # rank 0 passes before rank 1 arrives
        dist.barrier()
    return "passed"


def test_read_before_the_wait(tmp_path: Path) -> None:
    (early, late), (_, other) = on_two_ranks(read_before_the_wait, tmp_path)
    assert early == 1.0
    assert late == other == 3.0


def test_received_values_come_with_the_wait(tmp_path: Path) -> None:
    assert on_two_ranks(receive_and_drop, tmp_path)[1] == (0.0, 1.0)


def test_what_is_written_meanwhile_is_sent(tmp_path: Path) -> None:
    assert on_two_ranks(change_while_sending, tmp_path)[1] == 7.0


def test_barrier_holds_nobody_up(tmp_path: Path) -> None:
    assert on_two_ranks(barrier_nobody_waits_for, tmp_path) == ["passed", "passed"]
