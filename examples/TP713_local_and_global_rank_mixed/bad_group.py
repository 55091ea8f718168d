import argparse
import os

import torch.distributed as dist


def join(args):
    local_rank = int(os.getenv("LOCAL_RANK", "0"))
    if args.world_size > 1:
        dist.init_process_group(args.backend, rank=local_rank, world_size=args.world_size)  # expect: TP713:47


def join_by_environment():
    size = int(os.environ["WORLD_SIZE"])
    dist.init_process_group(
        backend="gloo",
        world_size=size,
        rank=int(os.environ["LOCAL_RANK"]),  # expect: TP713:9
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--world_size", type=int)
    parser.add_argument("--backend", default="nccl")
    join(parser.parse_args())
