import os

import torch
import torch.distributed as dist

WORLD_SIZE = 2


def setup():
    os.environ["MASTER_ADDR"] = "localhost"
    os.environ["MASTER_PORT"] = "29500"
    dist.init_process_group("gloo", rank=0, world_size=WORLD_SIZE)  # expect: TP704:37, TP971:5


def main():
    setup()
    total = torch.ones(1)
    dist.all_reduce(total)
    print(total.item())


if __name__ == "__main__":
    main()
