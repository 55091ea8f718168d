"""TP971: a group waits for the default timeout unless it is given one; a short one ends the wait."""
from __future__ import annotations

import datetime
from pathlib import Path

import pytest
import torch.distributed as dist
from torch.distributed.constants import default_pg_timeout


def test_default() -> None:
    assert default_pg_timeout == datetime.timedelta(minutes=30)


def test_a_rank_that_never_comes(tmp_path: Path) -> None:
    with pytest.raises((RuntimeError, dist.DistError)):
        dist.init_process_group(
            "gloo",
            init_method=f"file://{tmp_path}/store",
            rank=0,
            world_size=2,
            timeout=datetime.timedelta(milliseconds=200),
        )
    if dist.is_initialized():
        dist.destroy_process_group()
