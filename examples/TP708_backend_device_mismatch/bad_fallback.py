import os

import torch
from torch.distributed import init_process_group
from torch.nn.parallel import DistributedDataParallel


class Worker:
    def __init__(self, model):
        self.join()
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = DistributedDataParallel(model.to(self.device))

    def join(self):
        init_process_group(  # expect: TP971:9
            backend="nccl",  # expect: TP708:13
            rank=int(os.environ["RANK"]),
            world_size=int(os.environ["WORLD_SIZE"]),
        )
