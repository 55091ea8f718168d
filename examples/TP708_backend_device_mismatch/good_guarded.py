import torch
import torch.distributed as dist


def start(distributed):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if distributed:
        dist.init_process_group("nccl")
    return device
