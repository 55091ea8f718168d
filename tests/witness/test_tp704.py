"""TP704: a literal rank leaves the group incomplete; a second group raises."""
from __future__ import annotations

import datetime
import multiprocessing
from pathlib import Path

import pytest
import torch.distributed as dist


def _join(rank: int, folder: str, answers: multiprocessing.Queue) -> None:
    store = dist.FileStore(f"{folder}/store", 2)
    try:
        dist.init_process_group(
            "gloo", store=store, rank=rank, world_size=2, timeout=datetime.timedelta(seconds=1)
        )
        answers.put("joined")
    except (RuntimeError, dist.DistError) as error:
        answers.put(type(error).__name__)


def _joined_as(ranks: tuple[int, int], folder: Path) -> list[str]:
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    processes = [context.Process(target=_join, args=(rank, str(folder), answers)) for rank in ranks]
    for process in processes:
        process.start()
    found = [answers.get(timeout=60) for _ in processes]
    for process in processes:
        process.join()
    return found


def test_two_processes_of_rank_0_never_form_a_group(tmp_path: Path) -> None:
    assert "joined" not in _joined_as((0, 0), tmp_path)


def test_each_its_own_rank(tmp_path: Path) -> None:
    assert _joined_as((0, 1), tmp_path) == ["joined", "joined"]


def test_a_second_group_raises(tmp_path: Path) -> None:
    dist.init_process_group("gloo", store=dist.FileStore(str(tmp_path / "store"), 1), rank=0, world_size=1)
    try:
        with pytest.raises(ValueError, match="twice"):
            dist.init_process_group("gloo", store=dist.FileStore(str(tmp_path / "other"), 1), rank=0, world_size=1)
    finally:
        dist.destroy_process_group()
