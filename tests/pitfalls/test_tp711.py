"""TP711 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import torch
import torch.distributed as dist
from torch.distributed import isend, P2POp
def f(x, peer, flag):
"""


def found(body: str) -> list[tuple[int, int]]:
    indented = "\n".join("    " + line for line in body.split("\n"))
    return [(line - 4, column - 4) for line, column, _ in check(HEAD + indented + "\n", ["TP711"])]


@pytest.mark.parametrize(
    "body, place",
    [
        ("dist.all_reduce(x, async_op=True)", (1, 1)),
        ("dist.all_reduce(x, dist.ReduceOp.SUM, None, True)", (1, 1)),
        ("work = dist.broadcast(x, 0, async_op=True)\nreturn x", (1, 8)),
        ("works = [isend(each, peer) for each in x]", (1, 10)),
        ("[isend(each, peer) for each in x]", (1, 2)),
        ("works = []\nfor each in x:\n    works.append(isend(each, peer))", (3, 18)),
        ("work = dist.irecv(x, peer)\nprint(f'{x}')\nwork.wait()", (2, 1)),
        ("work = dist.irecv(x, peer)\ny = torch.cat([x])\nz = x[0]\nwork.wait()", (3, 1)),
        ("work = dist.isend(x, peer)\nx.zero_()\nwork.wait()", (2, 1)),
        ("work = dist.isend(x, peer)\nx[0] = 1\nwork.wait()", (2, 1)),
    ],
)
def test_nobody_waits(body: str, place: tuple[int, int]) -> None:
    assert found(body) == [place]


@pytest.mark.parametrize(
    "body",
    [
        "dist.all_reduce(x)",
        "dist.all_reduce(x, async_op=flag)",
        "dist.all_reduce(x, async_op=True).wait()",
        "work = dist.all_reduce(x, async_op=True)\nif work is not None:\n    work.wait()\nreturn x + 1",
        "work = dist.all_reduce(x, async_op=True)\npeer.add(work)\nreturn x + 1",
        "work = dist.all_reduce(x, async_op=True)\nx = torch.zeros(1)\nreturn x + 1, work",
        "work = dist.isend(x, peer)\ny = x + 1\nwork.wait()",
        "peer.works.append(dist.isend(x, peer))",
        "return [isend(each, peer) for each in x]",
        "with dist._coalescing_manager(async_ops=True) as manager:\n    dist.all_reduce(x, async_op=True)\nmanager.wait()",
        "dist.all_reduce(x, async_op=True)\ntorch.cuda.synchronize()",
        "def later():\n    work.wait()\nwork = dist.all_reduce(x, async_op=True)\nlater()",
        "dist.isend(x, **peer).wait()",
        "peer.isend(x, 1)",
    ],
)
def test_somebody_waits(body: str) -> None:
    assert found(body) == []
