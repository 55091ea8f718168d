"""Started by Slurm, whose ranks have names of their own."""
import os

import torch
import torch.distributed as dist


def start():
    rank = int(os.environ["SLURM_PROCID"])
    dist.init_process_group("nccl", rank=rank, world_size=int(os.environ["SLURM_NTASKS"]))
    torch.cuda.set_device(rank)  # expect: TP713:27
