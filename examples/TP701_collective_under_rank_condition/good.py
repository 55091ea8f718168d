"""Every rank takes part, each in its own branch, or in a group of its own."""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def report(rank, loss):
    dist.all_reduce(loss)
    if rank == 0:
        print("loss", loss.item() / dist.get_world_size())


def first_on_main(local_rank, prepare):
    if local_rank not in [-1, 0]:
        dist.barrier()
    prepare()
    if local_rank == 0:
        dist.barrier()


def collect(rank, value, world_size):
    if rank == 0:
        parts = [torch.zeros_like(value) for _ in range(world_size)]
        dist.gather(value, gather_list=parts, dst=0)
    else:
        parts = None
        dist.gather(value, dst=0)
    return parts


def release(rank, work):
    if rank != 0:
        dist.barrier()
        return
    work()
    dist.barrier()


def in_groups(rank, value):
    evens = dist.new_group([0, 2])
    if rank % 2 == 0:
        dist.all_reduce(value, group=evens)
    if rank in (0, 2):
        own = dist.new_group([0, 2], use_local_synchronization=True)
        dist.broadcast(value, 0, own)


def hand_over(rank, value):
    if rank == 0:
        dist.send(value, dst=1)
    elif rank == 1:
        dist.recv(value, src=0)


def when_distributed(local_rank, value):
    if local_rank == -1:
        return value
    if local_rank != -1 and dist.is_initialized():
        dist.all_reduce(value)
    return value


def look(rank, batch):
    plain = DistributedDataParallel(nn.Linear(8, 1))
    normed = DistributedDataParallel(nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8)))
    if rank == 0:
        with torch.no_grad():  # expect: TP913:14
            print(plain(batch).mean(), normed.module(batch).mean())
