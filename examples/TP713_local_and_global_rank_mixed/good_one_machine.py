import os

import torch
import torch.distributed as dist


def join():
    local_rank = int(os.environ["LOCAL_RANK"])
    dist.init_process_group("nccl", rank=local_rank, world_size=torch.cuda.device_count())
