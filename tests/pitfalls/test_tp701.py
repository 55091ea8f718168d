"""TP701 beyond its examples."""
from __future__ import annotations

import pytest
from support import check, codes

HEAD = """\
import os, sys, torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
def is_main_process(): return get_rank() == 0
def get_rank(): return dist.get_rank() if dist.is_initialized() else 0
def average(x, group=None):
    dist.all_reduce(x, group=group)
    return x
"""
LINES = HEAD.count("\n")


def found(text: str) -> list[tuple[int, int]]:
    return [(line - LINES, column) for line, column, _ in check(HEAD + text, ["TP701"])]


@pytest.mark.parametrize(
    "test",
    [
        "rank == 0",
        "0 == rank",
        "not rank",
        "rank",
        "rank != 0",
        "rank > 0",
        "rank < 1",
        "rank in (0,)",
        "args.local_rank in [-1, 0]",
        "dist.get_rank() == 0",
        "get_rank() == 0",
        "torch.distributed.get_rank() == dist.get_world_size() - 1",
        "is_main_process()",
        "args.is_main",
        "self.is_rank_zero",
        "trainer.is_global_zero",
        "int(os.environ['LOCAL_RANK']) == 0",
        "os.getenv('RANK') == '0' or int(os.environ.get('RANK', 0)) == 0",
        "rank == 0 and verbose",
        "not dist.is_initialized() or rank == 0",
        "args.distributed and rank == 0",
        "rank == src",
        "config['rank'] == 0",
    ],
)
def test_tests_on_the_rank(test: str) -> None:
    expected = [] if "'0'" in test else [(2, 5)]
    assert found(f"if {test}:\n    dist.barrier()") == expected


@pytest.mark.parametrize(
    "test",
    [
        "rank != -1",
        "rank == -1",
        "rank >= 0",
        "rank > -1",
        "rank is None",
        "rank in ranks",
        "rank < world_size",
        "args.distributed",
        "dist.is_initialized()",
        "rank == 0 or verbose",
        "x.dim() == 0",
        "ranked == 0",
        "step % 10 == 0",
    ],
)
def test_other_tests(test: str) -> None:
    assert found(f"if {test}:\n    dist.barrier()") == []


@pytest.mark.parametrize(
    "call",
    [
        "dist.all_reduce(x)",
        "torch.distributed.broadcast(x, 0)",
        "dist.all_gather(xs, x)",
        "dist.all_gather_object(xs, x)",
        "dist.monitored_barrier()",
        "dist.new_group([0, 1])",
        "dist.all_reduce(x, group=None)",
        "dist.all_reduce(x, group=dist.group.WORLD)",
        "average(x)",
        "y = average(x)",
        "print(average(x).item())",
    ],
)
def test_collectives(call: str) -> None:
    assert len(found(f"def f(rank, x, xs):\n    if rank == 0:\n        {call}")) == 1


@pytest.mark.parametrize(
    "call",
    [
        "dist.send(x, 1)",
        "dist.destroy_process_group()",
        "dist.get_world_size()",
        "dist.all_reduce(x, group=pair)",
        "dist.all_reduce(x, dist.ReduceOp.SUM, pair)",
        "dist.all_reduce(x, group=dist.new_group([0], use_local_synchronization=True))",
        "dist.new_group([0, 1], use_local_synchronization=True)",
        "barrier()",
        "other.barrier()",
        "threading.Barrier(2).wait()",
        "unknown(x)",
    ],
)
def test_no_collectives_for_all(call: str) -> None:
    assert found(f"def f(rank, x, pair):\n    if rank == 0:\n        {call}") == []


@pytest.mark.parametrize(
    "text, expected",
    [
        ("if rank == 0: dist.barrier()\nelse: dist.barrier()", []),
        ("if rank == 0: dist.gather(x, xs)\nelif rank == 1: dist.gather(x)\nelif rank == 2: dist.gather(x)", []),
        ("if rank != 0: dist.barrier()\nprint()\nif rank == 0: dist.barrier()", []),
        ("if rank != 0: dist.barrier()\nif rank == 0: dist.barrier()\nif rank == 0: dist.barrier()", [3]),
        ("if rank == 0: dist.barrier()\nelse: dist.broadcast(x, 0)", [1, 2]),
        ("if rank == 0: average(x)\nelse: dist.barrier()", []),
        ("if rank == 0: dist.broadcast(x, 0)\nelse: follow(x)", []),
        ("if rank == 0: dist.broadcast(x, 0)\nelse: print(x)", [1]),
        ("x = average(x) if rank == 0 else None", [1]),
        ("x = dist.barrier() if rank == 0 else dist.barrier()", []),
    ],
)
def test_both_branches(text: str, expected: list[int]) -> None:
    text = "    " + text.replace("\n", "\n    ")
    assert [line - 1 for line, _ in found(f"def f(rank, x, xs):\n{text}")] == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("if rank != 0: return\nprint()\ndist.barrier()", [3]),
        ("if rank == 0: return\ndist.barrier()", [2]),
        ("if rank != 0:\n    dist.barrier()\n    return\ndist.barrier()", []),
        ("if rank != 0: sys.exit()\ndist.barrier()", [2]),
        ("if rank != 0: raise ValueError\ndist.barrier()", []),
        ("if rank == -1: return\ndist.barrier()", []),
        ("if not dist.is_initialized() or rank != 0: return\ndist.barrier()", [2]),
        ("if dist.is_initialized() and rank != 0: return\ndist.barrier()", [2]),
        ("for i in x:\n    if rank: continue\n    average(i)\naverage(x)", [3]),
        ("with torch.no_grad():\n    if rank > 0: return\n    dist.barrier()", [3]),
    ],
)
def test_early_exits(text: str, expected: list[int]) -> None:
    text = "    " + text.replace("\n", "\n    ")
    assert [line - 1 for line, _ in found(f"def f(rank, x):\n{text}")] == expected


def test_arguments_decide_what_a_helper_does() -> None:
    text = """\
def first(rank=-1):
    if rank not in (-1, 0): dist.barrier()
    print()
    if rank == 0: dist.barrier()
def make(path, rank=-1):
    first(rank)
def main(rank):
    if rank in (-1, 0):
        make("a")
        make("b", rank=-1)
        make("c", rank)
"""
    assert found(text) == [(11, 9)]


def test_attributes_and_methods() -> None:
    text = """\
class Trainer:
    def __init__(self):
        self.boss = dist.get_rank() == 0
        self.first = self.boss
    def log(self, x):
        if self.first:
            self.mean(x)
    def mean(self, x):
        return average(x)
    @rank_zero_only
    def save(self):
        dist.barrier()
"""
    assert found(text) == [(7, 13), (12, 9)]


def test_the_first_parameter_of_a_spawned_function() -> None:
    text = "def work(gpu, n):\n    if gpu == 0:\n        dist.barrier()\n"
    assert found(text) == []
    assert found(text + "torch.multiprocessing.spawn(work, (2,), 2)") == [(3, 9)]


@pytest.mark.parametrize(
    "model, use, expected",
    [
        ("DDP(nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)))", "net(x)", [2]),
        ("DDP(nn.BatchNorm1d(2), broadcast_buffers=False)", "net(x)", []),
        ("DDP(nn.BatchNorm1d(2))", "net.module(x)", []),
        ("DDP(nn.Linear(2, 2))", "net(x)", []),
        ("DDP(nn.Linear(2, 2))", "net(x).sum().backward()", [2]),
        ("nn.BatchNorm1d(2)", "net(x).sum().backward()", []),
        ("DDP(unknown)", "net(x)", []),
    ],
)
def test_wrapped_models(model: str, use: str, expected: list[int]) -> None:
    text = f"def f(rank, x):\n    net = {model}.eval()\n    if rank == 0:\n        {use}\n"
    assert [line - 2 for line, _ in found(text)] == expected


def test_helpers_in_another_file() -> None:
    comm = """\
    from torch.distributed import all_reduce as add
    import torch.distributed
    def total(x):
        add(x)
        return x
    def is_main_process():
        return torch.distributed.get_rank() == 0
    class Meter:
        def sync(self):
            total(self.value)
    """
    text = """\
    import torch
    from comm import Meter, is_main_process, total
    def epoch(x):
        meter = Meter()
        first = is_main_process()
        if first:
            meter.sync()
            x.backward()
        total(x)
    """
    assert check({"a.py": text, "comm.py": comm}, ["TP701"]) == [(7, 9, "TP701")]
    assert codes({"comm.py": comm, "a.py": text}, ["TP701"]) == []


def test_accelerate() -> None:
    text = """\
    from accelerate import Accelerator
    accelerator = Accelerator()
    if accelerator.is_main_process:
        accelerator.wait_for_everyone()
        accelerator.print("done")
    accelerator.wait_for_everyone()
    """
    assert check(text, ["TP701"]) == [(4, 5, "TP701")]
