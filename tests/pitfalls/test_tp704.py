"""TP704 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import os\nimport torch\nimport torch.distributed as dist\nfrom torch.distributed import init_process_group\n"


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 4, column) for line, column, _ in check(HEAD + text, ["TP704"])]


@pytest.mark.parametrize(
    "text, column",
    [
        ("dist.init_process_group('nccl', rank=1, world_size=8)", 33),
        ("init_process_group('nccl', world_size=int(os.environ['WORLD_SIZE']), rank=0)", 70),
        ("torch.distributed.init_process_group('nccl', None, None, 2, 0)", 61),
        ("dist.init_process_group('nccl', world_size=2, rank=int(os.getenv('LOCAL_RANK')))", 33),
    ],
)
def test_hard_coded(text: str, column: int) -> None:
    assert found(text) == [(1, column)]


@pytest.mark.parametrize(
    "text",
    [
        "dist.init_process_group('nccl')",
        "dist.init_process_group('nccl', rank=0, world_size=1)",
        "dist.init_process_group('nccl', rank=0)",
        "dist.init_process_group('nccl', rank=-1, world_size=-1)",
        "def f(rank): dist.init_process_group('nccl', rank=rank, world_size=2)",
        "if size == 1: dist.init_process_group('nccl', rank=0, world_size=size)",
        "def f(n=1): dist.init_process_group('nccl', rank=0, world_size=n)",
        "dist.init_process_group(**options)",
        "other.init_process_group('nccl', rank=0, world_size=2)",
    ],
)
def test_right_or_unknown(text: str) -> None:
    assert found(text) == []


def test_twice() -> None:
    text = "def f():\n    dist.init_process_group('gloo')\n    for _ in x:\n        dist.init_process_group('gloo')\n"
    assert found(text) == [(4, 9)]
    assert found(text + "    dist.destroy_process_group()\n") == []
    assert found("def f():\n    init_process_group('gloo')\ndef g():\n    init_process_group('gloo')\n") == []
    assert found("if a:\n    init_process_group('gloo')\nelse:\n    init_process_group('nccl')\n") == []
