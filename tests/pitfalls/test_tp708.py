"""TP708 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nimport torch.distributed as dist\n"
NCCL = HEAD + 'dist.init_process_group("nccl")\n'


def found(text: str, head: str = NCCL) -> list[tuple[int, int]]:
    lines = head.count("\n")
    return [(line - lines, column) for line, column, _ in check(head + text, ["TP708"])]


@pytest.mark.parametrize(
    "text",
    [
        "dist.all_reduce(torch.tensor([1.0]))",
        "dist.all_gather_into_tensor(torch.zeros(4, device='cuda'), torch.zeros(2))",
        "dist.broadcast(torch.ones(2).cuda().cpu(), src=0)",
    ],
)
def test_tensor_on_the_cpu(text: str) -> None:
    assert found(text) == [(1, 1)]


@pytest.mark.parametrize(
    "text",
    [
        "dist.all_reduce(torch.tensor([1.0]).cuda())",
        "dist.all_reduce(torch.zeros(2), group=dist.new_group(backend='gloo'))",
        "torch.set_default_device('cuda')\ndist.all_reduce(torch.zeros(2))",
        "dist.all_gather_object([None], torch.zeros(2))",
        "dist.barrier()",
        "def f(x): dist.all_reduce(x)",
    ],
)
def test_not_known_to_be_on_the_cpu(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("backend", ['"gloo"', '"cpu:gloo,cuda:nccl"', "", "backend", '"nccl" if cuda else "gloo"'])
def test_other_backends(backend: str) -> None:
    assert found(f"dist.init_process_group({backend})\ndist.all_reduce(torch.zeros(2))  # not nccl", HEAD) == []


FALLBACK = 'device = "cuda" if torch.cuda.is_available() else "cpu"\n'


def test_fallback_to_the_cpu() -> None:
    assert found(FALLBACK) == [(0, 25)]
    assert found(FALLBACK + 'dist.init_process_group("nccl")', HEAD) == [(2, 25)]
    assert found(FALLBACK + 'def main():\n    dist.init_process_group("nccl")\nmain()', HEAD) == [(3, 29)]


@pytest.mark.parametrize(
    "text",
    [
        FALLBACK + 'if device == "cuda":\n    dist.init_process_group("nccl")',
        FALLBACK + 'def main():\n    dist.init_process_group("nccl")\nif __debug__:\n    main()',
        FALLBACK + 'print(torch.cuda.device_count())\ndist.init_process_group("nccl")',
        FALLBACK + 'assert torch.cuda.is_available()\ndist.init_process_group("nccl")',
        'def other():\n    if single:\n        ' + FALLBACK + 'dist.init_process_group("nccl")',
    ],
)
def test_fallback_that_is_not_met(text: str) -> None:
    assert found(text, HEAD) == []
