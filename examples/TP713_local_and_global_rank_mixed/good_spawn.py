import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def work(local_rank, world_size):
    dist.init_process_group("nccl", "tcp://localhost:29500", rank=local_rank, world_size=world_size)  # expect: TP971:5
    rank = dist.get_rank()
    torch.cuda.set_device(rank)
    DDP(nn.Linear(8, 3).to(rank), device_ids=[rank])


def main():
    count = torch.cuda.device_count()
    mp.spawn(work, args=(count,), nprocs=count)


if __name__ == "__main__":
    main()
