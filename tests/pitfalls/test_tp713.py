"""TP713 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import argparse, os, torch
import torch.distributed as dist
from torch import nn
from torch.distributed import get_rank, init_process_group
from torch.nn.parallel import DistributedDataParallel
"""


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 5, column) for line, column, _ in check(HEAD + text + "\n", ["TP713"])]


@pytest.mark.parametrize(
    "text, place",
    [
        ("torch.cuda.set_device(dist.get_rank())", (1, 23)),
        ("torch.accelerator.set_device_index(int(os.environ['RANK']))", (1, 36)),
        ("rank = get_rank()\nx = torch.ones(1).to(rank)", (2, 22)),
        ("env = {k: os.environ[k] for k in ('RANK', 'LOCAL_RANK')}\nrank = int(env['RANK'])\nx = f'cuda:{rank}'", (3, 13)),
        ("def f(module, gpu):\n    return module.cuda(gpu)\nf(nn.Linear(1, 1), get_rank())", (2, 24)),
        ("local_rank = dist.get_rank()\nDistributedDataParallel(nn.Linear(1, 1), [local_rank])", (2, 43)),
        ("class A:\n    def __init__(self):\n        self.rank = get_rank()\n        torch.device('cuda', self.rank)", (4, 30)),
        ("def setup(args):\n    args.gpu = dist.get_rank()\n    torch.cuda.set_device(args.gpu)", (3, 27)),
        ("rank = get_rank() if dist.is_initialized() else 0\ntorch.cuda.set_device(rank)", (2, 23)),
        ("init_process_group('nccl', rank=int(os.getenv('LOCAL_RANK', 0)))", (1, 28)),
        ("p = argparse.ArgumentParser()\np.add_argument('--local-rank')\nargs = p.parse_args()\n"
         "init_process_group('nccl', 'env://', None, args.size, args.local_rank)", (4, 55)),
    ],
)  # fmt: skip
def test_right_on_one_machine_only(text: str, place: tuple[int, int]) -> None:
    assert found(text) == [place]


@pytest.mark.parametrize(
    "text",
    [
        "torch.cuda.set_device(int(os.environ['LOCAL_RANK']))\nprint(get_rank())",
        "torch.cuda.set_device(get_rank() % torch.cuda.device_count())",
        "rank = get_rank()\nprint(f'cuda:{rank} of {dist.get_world_size()}')",
        "def f(rank):\n    torch.cuda.set_device(rank)\n    print(get_rank())",
        "rank = int(os.environ['RANK'])\ntorch.manual_seed(rank)\nx = torch.ones(1).to('cuda')",
        "torch.cuda.set_device(get_rank(group))",
        "init_process_group('nccl', rank=get_rank())",
        "local_rank = 0\ninit_process_group('nccl', rank=local_rank)\nprint(os.environ['RANK'])",
        "init_process_group('nccl', rank=int(os.environ['LOCAL_RANK']), world_size=torch.cuda.device_count())",
        "init_process_group('nccl', 'tcp://127.0.0.1:1', rank=int(os.environ['LOCAL_RANK']))",
        "torch.multiprocessing.spawn(print)\ntorch.cuda.set_device(get_rank())",
        "def setup(args):\n    args.gpu = get_rank()\n    args.gpu = args.gpu % 8\n    torch.cuda.set_device(args.gpu)",
    ],
)
def test_right_on_all(text: str) -> None:
    assert found(text) == []
