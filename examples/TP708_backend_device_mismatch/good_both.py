import torch
import torch.distributed as dist


def main():
    dist.init_process_group("cpu:gloo,cuda:nccl")  # expect: TP971:5
    count = torch.zeros(1)
    dist.all_reduce(count)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    dist.all_reduce(torch.ones(1, device=device))
