import argparse
import os

import torch.distributed as dist
import torch.multiprocessing as mp

SIZE = 4


def worker(rank, size):
    dist.init_process_group("gloo", init_method="tcp://localhost:29500", rank=rank, world_size=4)
    print(rank, size)
    dist.destroy_process_group()


def alone():
    dist.init_process_group("gloo", init_method="tcp://localhost:29500", rank=0, world_size=1)


def from_environment():
    dist.init_process_group("nccl", rank=int(os.environ["RANK"]), world_size=int(os.environ["WORLD_SIZE"]))


def from_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rank", type=int)
    parser.add_argument("--world-size", type=int)
    args = parser.parse_args()
    if args.world_size > 1:
        dist.init_process_group("nccl", rank=args.rank, world_size=args.world_size)
    else:
        dist.init_process_group("gloo", rank=args.rank, world_size=args.world_size)


if __name__ == "__main__":
    mp.spawn(worker, args=(SIZE,), nprocs=SIZE)
