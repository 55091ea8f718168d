import os

import torch


def set_up(args):
    if "LOCAL_RANK" in os.environ:
        vars(args)["local_rank"] = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(args.local_rank)
    torch.distributed.init_process_group("nccl")
