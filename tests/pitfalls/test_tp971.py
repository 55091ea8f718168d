"""TP971 beyond its examples."""
from __future__ import annotations

import pytest
from support import codes

HEAD = "import torch.distributed as dist\nfrom torch.distributed import init_process_group as init\n"
MORE = "\ndist.barrier()"


@pytest.mark.parametrize(
    "call, expected",
    [
        ("dist.init_process_group('nccl')", ["TP971"]),
        ("init(backend)", ["TP971"]),
        ("init(backend, rank=rank, world_size=size)", ["TP971"]),
        ("init(backend, rank=0, world_size=1)", []),
        ("init(backend, timeout=timeout)", []),
        ("init(backend, None, timeout)", []),
        ("init(backend, **options)", []),
        ("other.init_process_group('nccl')", []),
    ],
)
def test_calls(call: str, expected: list[str]) -> None:
    assert codes(HEAD + call + MORE, ["TP971"]) == expected


def test_setup_alone() -> None:
    assert codes(HEAD + "init(backend)", ["TP971"]) == []
