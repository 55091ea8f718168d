import torch
import torch.distributed as dist

BACKEND = "nccl"


def setup():
    dist.init_process_group(backend=BACKEND, init_method="env://")  # expect: TP971:5


def share(loss):
    mean = torch.tensor([loss])
    dist.reduce(mean, dst=0, op=dist.ReduceOp.AVG)  # expect: TP708:5
    return mean.item()


def send_flag(flag, peer):
    dist.send(torch.tensor([int(flag)]), peer)  # expect: TP708:5


if __name__ == "__main__":
    setup()
    print(share(0.5))
    send_flag(True, 1)
