"""Tests on the rank that are no `if` statements."""
import torch.distributed as dist


def together(value, rank, parts):
    rank == 0 and dist.all_gather(parts, value)  # expect: TP701:19
    while rank == 0 and value.isnan().any():
        dist.broadcast(value, src=0)  # expect: TP701:9


def report(value):
    assert dist.get_rank() == 0
    dist.reduce(value, dst=0)  # expect: TP701:5
    return value / dist.get_world_size()
