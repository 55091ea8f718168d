import os

import torch
import torch.distributed as dist


def main():
    os.environ["MASTER_ADDR"] = "localhost"
    os.environ["MASTER_PORT"] = "29500"
    dist.init_process_group("nccl")
    torch.cuda.set_device(dist.get_rank())


if __name__ == "__main__":
    main()
