"""The sum of the losses is only wanted on rank 0, and only rank 0 asks for it."""
import os

import torch
import torch.distributed as dist


def prepare(path):
    torch.save({"mean": torch.zeros(3)}, path)


def average(value):
    dist.all_reduce(value)
    return value / dist.get_world_size()


def is_main_process():
    return not dist.is_initialized() or dist.get_rank() == 0


def main():
    dist.init_process_group("gloo")  # expect: TP971:5
    rank = dist.get_rank()
    if rank == 0:
        prepare("mean.pt")
        dist.barrier()  # expect: TP701:9
    loss = torch.ones(())
    if is_main_process():
        print("loss", average(loss).item())  # expect: TP701:23
    if not rank:
        dist.reduce(loss, dst=0)  # expect: TP701:9
    pair = dist.new_group([0, 1]) if rank in (0, 1) else None  # expect: TP701:12
    dist.barrier()
    return pair


def publish(weights):
    if int(os.environ["LOCAL_RANK"]) != 0:
        return
    print("publishing")
    dist.broadcast(weights, src=0)  # expect: TP701:5


if __name__ == "__main__":
    main()
    publish(torch.ones(3))
