import torch
import torch.distributed as dist


def synchronize(weights, total):
    if dist.get_rank() == 0:
        weights.fill_(1.0)
    dist.broadcast(weights, src=0)
    dist.all_reduce(total)
    return total


def in_two_branches(weights, total, rank):
    if rank == 0:
        print("sending")
        dist.broadcast(weights, src=0)
        dist.all_reduce(total)
    else:
        dist.broadcast(weights, src=0)
        dist.all_reduce(total)
        print("received", rank)


def build_once(rank, build):
    if rank != 0:
        dist.barrier()
    data = build()
    if rank == 0:
        dist.barrier()
    dist.all_reduce(torch.ones(1))
    return data


def through_helpers(rank, tensor):
    if rank == 0:
        announce(tensor)
        dist.barrier()
    else:
        listen(tensor)
        dist.barrier()


def announce(tensor):
    dist.broadcast(tensor, src=0)


def listen(tensor):
    dist.broadcast(tensor, src=0)
