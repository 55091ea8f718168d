import torch
from torch.distributed import destroy_process_group, init_process_group
from torch.nn.parallel import DistributedDataParallel as DDP


def setup(rank, world_size, address):
    init_process_group("nccl", init_method=address, rank=rank, world_size=world_size)  # expect: TP971:5
    torch.cuda.set_device(rank % torch.cuda.device_count())


def wrap(net, rank):
    return DDP(net.to(rank % torch.cuda.device_count()))


def clean():
    destroy_process_group()
