"""TP713: the rank on one machine is no rank in a group of several, and the rank in the group no number of a GPU."""
from __future__ import annotations

import datetime
import multiprocessing
from pathlib import Path

import pytest
import torch
import torch.distributed as dist


def join(rank: int, folder: str, answers: multiprocessing.Queue) -> None:
    store = dist.FileStore(f"{folder}/store", 2)
    try:
        dist.init_process_group("gloo", store=store, rank=rank, world_size=2, timeout=datetime.timedelta(seconds=2))
        answers.put("joined")
    except RuntimeError as error:
        answers.put(type(error).__name__)


def joined(ranks: tuple[int, int], folder: Path) -> list[str]:
    """Return how two processes, which say that they have *ranks*, fare in a group of two."""
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    processes = [context.Process(target=join, args=(rank, str(folder), answers)) for rank in ranks]
    for process in processes:
        process.start()
    found = [answers.get(timeout=60) for _ in processes]
    for process in processes:
        process.join()
    return found


def test_local_ranks_of_two_machines(tmp_path: Path) -> None:
    assert "joined" not in joined((0, 0), tmp_path)


def test_ranks_over_both_machines(tmp_path: Path) -> None:
    assert joined((0, 1), tmp_path) == ["joined", "joined"]


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_no_gpu_has_the_number_of_the_next_machine() -> None:
    with pytest.raises(RuntimeError, match="invalid device ordinal"):
        torch.cuda.set_device(torch.cuda.device_count())
