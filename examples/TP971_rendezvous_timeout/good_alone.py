"""Alone, with options of the caller's, or in a test."""
import torch.distributed as dist


def alone(path):
    dist.init_process_group("gloo", init_method=f"file://{path}", rank=0, world_size=1)


def setup(**options):
    dist.init_process_group("gloo", **options)


def test_sum(path, rank, total):
    dist.init_process_group("gloo", init_method=f"file://{path}", rank=rank, world_size=2)
    dist.all_reduce(total)
