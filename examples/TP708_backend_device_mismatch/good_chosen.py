import torch
import torch.distributed as dist


def chosen_together():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    backend = "nccl" if device.type == "cuda" else "gloo"
    dist.init_process_group(backend)
    return device
