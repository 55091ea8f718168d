"""Helpers that talk to all ranks."""
from contextlib import contextmanager

from torch import distributed


def gather_scores(score):
    scores = [None] * distributed.get_world_size()
    distributed.all_gather_object(scores, score)
    return scores


@contextmanager
def first_on_main(rank):
    """Let rank 0 go ahead, then the others: each of them passes one barrier."""
    if rank != 0:
        distributed.barrier()
    yield
    if rank == 0:
        distributed.barrier()


def load_once(rank, load):
    if rank not in (-1, 0):
        distributed.barrier()
    data = load()
    if rank == 0:
        distributed.barrier()
    return data
