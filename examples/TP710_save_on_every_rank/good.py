import os

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def is_main_process():
    return not dist.is_initialized() or dist.get_rank() == 0


def save_on_master(state, path):
    if is_main_process():
        torch.save(state, path)


def save_now(model, path):
    torch.save(model.state_dict(), path)


def save_part(model, folder):
    name = f"part_{dist.get_rank()}.pt"
    torch.save(model.state_dict(), os.path.join(folder, name))


def main(rank, args):
    dist.init_process_group("gloo")  # expect: TP971:5
    model = DDP(nn.Linear(4, 1))
    save_on_master(model.module.state_dict(), "model.pt")
    save_part(model.module, "parts")
    dcp.save(model.state_dict(), checkpoint_id="sharded")
    if rank == 0:
        save_now(model.module, "last.pt")
    if not args.multiprocessing_distributed or args.rank % args.ngpus_per_node == 0:
        torch.save(model.module.state_dict(), "again.pt")
    if rank != 0:
        return
    torch.save(model.module.state_dict(), "final.pt")


def single():
    model = nn.Linear(4, 1)
    torch.save(model.state_dict(), "single.pt")
