from torch.distributed import all_reduce, barrier


def build_once(rank, build, seconds):
    if rank > 0:
        barrier()  # expect: TP702:9
    data = build()
    all_reduce(seconds)
    if rank == 0:
        barrier()
    return data


def leave_early(rank, tensor):
    if rank == 0:
        all_reduce(tensor)
        barrier()
        return tensor
    barrier()  # expect: TP702:5
    all_reduce(tensor)
    return None
