import os

import torch
import torch.distributed as dist


def setup():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")  # expect: TP971:5
    return torch.device("cuda", local_rank)


def mean(loss, device):
    total = torch.tensor([loss], device=device)
    dist.all_reduce(total)
    moved = torch.zeros(3).to(device)  # expect: TP945:13
    dist.broadcast(moved, src=0)
    dist.broadcast_object_list(["configuration"], src=0)
    return total / dist.get_world_size()


def unknown(tensor):
    dist.all_reduce(tensor)
    return tensor


def on_the_cpu(tensor):
    group = dist.new_group(backend="gloo")
    dist.all_reduce(tensor.cpu(), group=group)


if __name__ == "__main__":
    print(mean(0.5, setup()))
