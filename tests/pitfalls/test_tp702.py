"""TP702 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import torch
import torch.distributed as dist
def f(x, y, rank):
"""


def found(body: str) -> list[tuple[int, int, str]]:
    return [(line - 3, column, code) for line, column, code in check(HEAD + body, ["TP70"])]


@pytest.mark.parametrize(
    "body, line, column",
    [
        (
            "    if rank == 0:\n        dist.all_reduce(x)\n        dist.barrier()\n"
            "    elif rank == 1:\n        dist.barrier()\n        dist.all_reduce(x)\n",
            5, 9,
        ),
        (
            "    if rank != 0:\n        dist.barrier()\n    dist.broadcast(x, 0)\n    if rank == 0:\n        dist.barrier()\n",
            2, 9,
        ),
        (
            "    for _ in x:\n        if rank == 0:\n            dist.broadcast(x, 0); dist.broadcast(y, 0)\n"
            "        else:\n            dist.broadcast(y, 0); dist.broadcast(x, 0)\n",
            5, 13,
        ),
    ],
)  # fmt: skip
def test_order_differs(body: str, line: int, column: int) -> None:
    assert found(body) == [(line, column, "TP702")]


@pytest.mark.parametrize(
    "body",
    [
        "    if rank == 0:\n        dist.barrier()\n    else:\n        dist.barrier()\n    dist.all_reduce(x)\n",
        "    if x:\n        dist.all_reduce(x)\n        dist.barrier()\n    else:\n        dist.barrier()\n"
        "        dist.all_reduce(x)\n",
        "    group = dist.new_group([0])\n    if rank == 0:\n        dist.all_reduce(x, group=group)\n"
        "        dist.barrier()\n    else:\n        dist.barrier()\n",
        "    if rank == 0:\n        dist.broadcast(x, 0)\n    else:\n        dist.broadcast(y, 0)\n",
    ],
)
def test_order_is_one(body: str) -> None:
    assert "TP702" not in [code for *_, code in found(body)]


def test_helpers_of_another_file() -> None:
    files = {
        "a.py": """\
            from torch.distributed import barrier, get_rank
            from comm import meet, total
            def run(x):
                barrier()
                if get_rank() == 0:
                    total(x)
                    meet()
                else:
                    meet()
                    total(x)
            """,
        "comm.py": """\
            import torch.distributed as dist
            def meet():
                dist.barrier()
            def total(x):
                dist.all_reduce(x)
            """,
    }
    assert check(files, ["TP70"]) == [(9, 9, "TP702")]
