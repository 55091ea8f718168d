"""TP703: a collective without its group sums over all processes."""
from __future__ import annotations

import multiprocessing
from pathlib import Path

import torch
import torch.distributed as dist


def _run(rank: int, folder: str, passed: bool, answers: multiprocessing.Queue) -> None:
    torch.set_num_threads(1)
    dist.init_process_group("gloo", store=dist.FileStore(f"{folder}/store", 2), rank=rank, world_size=2)
    groups = [dist.new_group([0]), dist.new_group([1])]
    total = torch.tensor([10.0**rank])
    dist.all_reduce(total, group=groups[rank] if passed else None)
    answers.put((rank, total.item()))
    dist.barrier()
    dist.destroy_process_group()


def _sums(folder: Path, passed: bool) -> dict[int, float]:
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    processes = [context.Process(target=_run, args=(rank, str(folder), passed, answers)) for rank in range(2)]
    for process in processes:
        process.start()
    found = dict(answers.get(timeout=60) for _ in processes)
    for process in processes:
        process.join()
    return found


def test_without_the_group_all_ranks_are_summed(tmp_path: Path) -> None:
    assert _sums(tmp_path, passed=False) == {0: 11.0, 1: 11.0}


def test_with_the_group_only_its_own(tmp_path: Path) -> None:
    assert _sums(tmp_path, passed=True) == {0: 1.0, 1: 10.0}
