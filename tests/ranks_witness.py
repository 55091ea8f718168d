"""What the witnesses of distributed pitfalls share: running a function on two ranks."""
from __future__ import annotations

import datetime
import multiprocessing
from collections.abc import Callable
from pathlib import Path

import torch
import torch.distributed as dist

Work = Callable[[int, dist.Store], object]


def on_two_ranks(work: Work, folder: Path) -> list[object]:
    """Return what *work* gives on rank 0 and on rank 1; the text of the error where it raises."""
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    processes = [context.Process(target=_run, args=(work, rank, str(folder), answers)) for rank in range(2)]
    for process in processes:
        process.start()
    found = dict(answers.get(timeout=60) for _ in processes)
    for process in processes:
        process.join()
    return [found[0], found[1]]


def _run(work: Work, rank: int, folder: str, answers: multiprocessing.Queue) -> None:
    torch.set_num_threads(1)
    store = dist.FileStore(f"{folder}/store", 2)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=2, timeout=datetime.timedelta(seconds=2))
    try:
        answers.put((rank, work(rank, store)))
    except RuntimeError as error:
        answers.put((rank, f"{type(error).__name__}: {error}"))
    store.set(f"done {rank}", "yes")
    store.wait([f"done {1 - rank}"], datetime.timedelta(seconds=30))
