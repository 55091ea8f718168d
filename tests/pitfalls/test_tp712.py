"""TP712 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

PROGRAM = """\
import argparse, os, torch
import torch.distributed as dist
{before}
parser = argparse.ArgumentParser()
parser.add_argument({option}, type=int)
args = parser.parse_args()
{after}
dist.init_process_group("nccl")
torch.cuda.set_device({device})
"""


def found(
    option: str = '"--local_rank"', before: str = "", after: str = "", device: str = "args.local_rank",
    version: tuple[int, int] = (2, 6), **other: str,
) -> list[tuple[int, int]]:  # fmt: skip
    text = PROGRAM.format(option=option, before=before, after=after, device=device)
    return [(line, column) for line, column, _ in check({"a.py": text, **other}, ["TP712"], version)]


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"option": '"-l", "--local_rank", default=0'},
        {"option": '"--local_rank", dest="gpu"', "device": "args.gpu"},
        {"option": '"--local_rank", required=True', "device": "0"},
        {"before": "from lib import setup", "lib.py": "def setup(args): print(args)\nLOCAL_RANK = 1\n"},
    ],
)
def test_option_that_nobody_passes(parts: dict[str, str]) -> None:
    assert found(**parts) == [(5, 1)]


@pytest.mark.parametrize(
    "parts",
    [
        {"option": '"--local-rank"'},
        {"option": '"--local-rank", "--local_rank"'},
        {"device": "0"},
        {"after": 'args.local_rank = int(os.environ["LOCAL_RANK"])'},
        {"after": "args.local_rank = args.node_rank"},
        {"after": 'args = os.environ.get("LOCAL_RANK")'},
        {"after": "torch.multiprocessing.spawn(print, nprocs=2)"},
        {"before": "import deepspeed"},
        {"before": "from lib import setup as start\nstart()", "lib.py": 'import os\ndef setup(): return os.environ["LOCAL_RANK"]\n'},
        {"before": "import lib", "lib.py": 'import os\ndef setup(): return os.environ["LOCAL_RANK"]\n'},
        {"version": (1, 13)},
    ],
)
def test_other_ways(parts: dict[str, object]) -> None:
    assert found(**parts) == []  # type: ignore[arg-type]
