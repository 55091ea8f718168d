import torch
import torch.distributed as dist
from torch import nn


class Runner:
    def __init__(self, model):
        dist.init_process_group("nccl")
        self.model = nn.parallel.DistributedDataParallel(model)
        self.verbose = dist.get_rank() == 0

    def run(self, steps):
        for step in range(steps):
            if step % 10 == 0 and self.verbose:
                torch.save(self.model.module.state_dict(), f"{step}.pt")
