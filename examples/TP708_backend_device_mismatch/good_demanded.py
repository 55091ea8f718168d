import torch
import torch.distributed as dist


def start():
    assert torch.cuda.is_available(), "training needs at least one GPU"
    dist.init_process_group("nccl")
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")
