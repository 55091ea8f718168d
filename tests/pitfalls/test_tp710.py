"""TP710 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import io, os, torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
def main(rank, args, net, flag):
    dist.init_process_group('nccl')
    net = DDP(net)
    """


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 6, column) for line, column, _ in check(HEAD + text, ["TP710"])]


@pytest.mark.parametrize(
    "text, column",
    [
        ("torch.save(net.module.state_dict(), 'a.pt')", 5),
        ("torch.save(net.module.state_dict(), os.path.join(args.out, 'a.pt'))", 5),
        ("if args.epoch % 5 == 0: torch.save(net.state_dict(), f'{args.epoch}.pt')", 29),
    ],
)
def test_on_every_rank(text: str, column: int) -> None:
    assert found(text) == [(1, column)]


@pytest.mark.parametrize(
    "text",
    [
        "if rank == 0: torch.save(net.state_dict(), 'a.pt')",
        "if flag: torch.save(net.state_dict(), 'a.pt')",
        "if args.is_master: torch.save(net.state_dict(), 'a.pt')",
        "if args.local_rank in (-1, 0): torch.save(net.state_dict(), 'a.pt')",
        "torch.save(net.state_dict(), f'a{rank}.pt')",
        "buffer = io.BytesIO(); torch.save(net.state_dict(), buffer)",
        "name = str(dist.get_rank()); path = name + '.pt'; torch.save(net.state_dict(), path)",
        "torch.save(*args)",
        "dist.get_rank() == 0 and torch.save(net.state_dict(), 'a.pt')",
    ],
)
def test_guarded_or_apart(text: str) -> None:
    assert found(text) == []


def test_groups_of_one_process() -> None:
    text = """\
import torch, torch.distributed as dist
def main(net):
    dist.init_process_group('gloo', rank=0, world_size=1)
    torch.save(net, 'a.pt')
"""
    assert check(text, ["TP710"]) == []


def test_setup_in_another_file() -> None:
    text = """\
import torch
from comm import setup, save
def main(net):
    setup()
    torch.save(net.state_dict(), 'a.pt')
    save(net.state_dict(), 'b.pt')
    torch.distributed.barrier()
"""
    comm = """\
import torch
def setup():
    torch.distributed.init_process_group('nccl')
def save(state, path):
    if torch.distributed.get_rank() == 0:
        torch.save(state, path)
"""
    assert check({"a.py": text, "comm.py": comm}, ["TP710"]) == [(5, 5, "TP710")]
