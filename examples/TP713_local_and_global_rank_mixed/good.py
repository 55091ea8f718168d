import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl", rank=int(os.environ["RANK"]), world_size=int(os.environ["WORLD_SIZE"]))  # expect: TP971:5
    model = DDP(nn.Linear(8, 3).cuda(), device_ids=[local_rank])
    if dist.get_rank() == 0:
        print(model)  # expect: TP921:9


def by_count():
    dist.init_process_group("nccl")  # expect: TP971:5
    rank = dist.get_rank()
    device = rank % torch.cuda.device_count()
    torch.cuda.set_device(device)
    return DDP(nn.Linear(8, 3).to(device), device_ids=[device])


def given(rank, model):
    torch.cuda.set_device(rank)
    return DDP(model.to(rank), device_ids=[rank])


def in_a_smaller_group(model, group):
    return model.to(dist.get_rank(group))


def for_people(rank=None):
    rank = dist.get_rank() if rank is None else rank
    print(f"rank {rank}")


if __name__ == "__main__":
    main()
