"""Started by Slurm or by MPI, with the rank on the machine for the GPU."""
import os

import torch
import torch.distributed as dist


def start_by_slurm():
    rank = int(os.environ["SLURM_PROCID"])
    dist.init_process_group("nccl", rank=rank, world_size=int(os.environ["SLURM_NTASKS"]))
    torch.cuda.set_device(int(os.environ["SLURM_LOCALID"]))


def start_by_mpi():
    rank = int(os.environ["OMPI_COMM_WORLD_RANK"])
    dist.init_process_group("nccl", rank=rank, world_size=int(os.environ["OMPI_COMM_WORLD_SIZE"]))
    torch.cuda.set_device(rank % torch.cuda.device_count())
