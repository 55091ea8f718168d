import torch
import torch.distributed as dist
from torch import nn


class Runner:
    def __init__(self, model):
        dist.init_process_group("nccl")  # expect: TP971:9
        self.model = nn.parallel.DistributedDataParallel(model)
        self.verbose = dist.get_rank() == 0

    def run(self, steps):
        for step in range(steps):
            if step % 10 == 0 and self.verbose:
                torch.save(self.model.module.state_dict(), f"{step}.pt")


def is_master(args) -> bool:
    return args.rank == 0


def main(args, model, epochs) -> None:
    dist.init_process_group("nccl")  # expect: TP971:5
    model = nn.parallel.DistributedDataParallel(model)
    args.save_logs = bool(args.folder) and is_master(args)
    for epoch in range(epochs):
        if args.save_logs:
            torch.save(model.module.state_dict(), f"{args.folder}/{epoch}.pt")
