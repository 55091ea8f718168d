import os

import torch
from torch.distributed import get_rank, init_process_group
from torch.distributed.fsdp import FullyShardedDataParallel


def read_environment():
    return int(os.environ["RANK"]), int(os.environ.get("WORLD_SIZE", "1"))


class Trainer:
    def __init__(self, model):
        self.rank, self.world_size = read_environment()
        init_process_group("nccl", rank=self.rank, world_size=self.world_size)  # expect: TP971:9
        self.device = torch.device(f"cuda:{self.rank}")  # expect: TP713:44
        self.model = FullyShardedDataParallel(model, device_id=get_rank())  # expect: TP713:64
        self.total = torch.zeros(1).cuda(self.rank)  # expect: TP713:42, TP945:22

    def rest(self):
        self.device = torch.device("cuda", self.rank)  # expect: TP713:44
