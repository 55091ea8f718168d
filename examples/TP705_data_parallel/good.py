"""One process for each GPU; the older wrapper is only recognised."""
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def unwrap(model: nn.Module) -> nn.Module:
    if isinstance(model, (nn.DataParallel, DistributedDataParallel)):
        return model.module
    return model


def describe(model: "nn.DataParallel | nn.Module") -> str:
    return type(unwrap(model)).__name__


class DataParallel:
    """Splits a table by rows; nothing of torch's."""

    def __init__(self, table):
        self.table = table


def main() -> None:
    dist.init_process_group("nccl")  # expect: TP971:5
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    model = DistributedDataParallel(nn.Linear(8, 2).cuda(rank), device_ids=[rank])
    print(describe(model), DataParallel([[1, 2]]).table)


if __name__ == "__main__":
    main()
