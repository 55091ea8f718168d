import argparse

import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def get_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", default=-1, type=int)  # expect: TP712:5
    return parser.parse_args()


def wrap(model, opt):
    if opt.local_rank != -1:
        torch.cuda.set_device(opt.local_rank)
        torch.distributed.init_process_group(backend="nccl", init_method="env://")  # expect: TP971:9
        return DDP(model.cuda(), device_ids=[opt.local_rank], output_device=opt.local_rank)
    return model


if __name__ == "__main__":
    wrap(torch.nn.Linear(2, 2), get_args())
