import argparse

import torch
import torch.distributed as dist
from torch import nn


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--local_rank", type=int, default=0)  # expect: TP712:5
    args = parser.parse_args()

    torch.cuda.set_device(args.local_rank)
    dist.init_process_group("nccl")  # expect: TP971:5
    model = nn.Linear(8, 3).cuda()
    model = nn.parallel.DistributedDataParallel(model, device_ids=[args.local_rank])
    print(args.epochs, sum(p.numel() for p in model.parameters()))


if __name__ == "__main__":
    main()
