import torch
import torch.distributed as dist


def pipeline(rank, first, second):
    pair = dist.new_group([0, 1])
    row = dist.new_group([0, 2])
    if rank == 0:
        dist.all_reduce(first, group=row)
        dist.all_reduce(second, group=pair)
    elif rank == 1:
        dist.all_reduce(second, group=pair)
    elif rank == 2:
        dist.all_reduce(first, group=row)


def exchange(rank, outgoing, incoming):
    if rank == 0:
        dist.send(outgoing, dst=1)
        dist.recv(incoming, src=1)
    else:
        dist.recv(incoming, src=0)
        dist.send(outgoing, dst=0)


def either(by_name, rank, tensor):
    if by_name:
        if rank == 0:
            dist.all_reduce(tensor)
            dist.barrier()
        else:
            dist.all_reduce(tensor)
            dist.barrier()
    else:
        dist.barrier()
        dist.all_reduce(torch.zeros(1))
