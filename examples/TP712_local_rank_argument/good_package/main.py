import argparse

from comm import set_up
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=0)
    args = parser.parse_args()
    set_up(args)
    return DistributedDataParallel(nn.Linear(2, 2).cuda(), device_ids=[args.local_rank])  # expect: TP942:36


if __name__ == "__main__":
    main()
